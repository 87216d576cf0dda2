import Testing

@testable import OffshoreServer

struct PasswordTests {
  @Test(arguments: [
    "correct horse", "пароль для яхты", "a\0b and more", String(repeating: "é", count: 256),
  ])
  func `A password matches its own hash, and no other password does`(password: String) async throws
  {
    let hasher = PasswordHasher(cost: .least)
    let hash = try await hasher.hash(password)
    #expect(hash.text.hasPrefix("$argon2id$"))
    #expect(try await hasher.matches(password, hash))
    #expect(try await hasher.matches(password, PasswordHash(stored: hash.text)))
    for other in [password + " ", String(password.dropLast()), password.uppercased() + "x", ""] {
      #expect(try await !hasher.matches(other, hash))
    }
  }

  @Test func `The same password has a different hash each time`() async throws {
    let hasher = PasswordHasher(cost: .least)
    #expect(try await hasher.hash("correct horse") != hasher.hash("correct horse"))
  }

  @Test(arguments: [
    "", "seven 7", String(repeating: "a", count: 257), String(repeating: "👩‍👩‍👧‍👧", count: 200),
  ])
  func `A password that is too short or too long is refused`(password: String) async {
    let hasher = PasswordHasher(cost: .least)
    let error = await #expect(throws: AccountError.self) { try await hasher.hash(password) }
    #expect(error?.code == .weakPassword)
  }

  @Test(arguments: ["", "$argon2id$", "plain", String(repeating: "x", count: 500), "a\0b"])
  func `A malformed hash matches no password`(stored: String) async throws {
    let hasher = PasswordHasher(cost: .least)
    #expect(try await !hasher.matches("", PasswordHash(stored: stored)))
    #expect(try await !hasher.matches(stored, PasswordHash(stored: stored)))
  }

  @Test func `Without an account no password matches, not even the placeholder's`() async throws {
    let hasher = PasswordHasher(cost: .least)
    #expect(try await !hasher.matches("", nil))
    #expect(try await !hasher.matches("correct horse", nil))
  }

  @Test func `A request is refused as unavailable if the hasher's queue is full`() async {
    let hasher = PasswordHasher(cost: .least, capacity: 0)
    let error = await #expect(throws: AccountError.self) {
      try await hasher.matches("correct horse", nil)
    }
    #expect(error?.code == .unavailable)
  }

  @Test func `Concurrent requests are all answered`() async throws {
    let hasher = PasswordHasher(cost: .least)
    let hash = try await hasher.hash("correct horse")
    let matches = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask { try await hasher.matches(number % 2 == 0 ? "correct horse" : "no", hash) }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(matches == 20)
  }

  @Test func `A description contains neither a hash nor a secret`() throws {
    let hash = PasswordHash(stored: "$argon2id$v=19$secret")
    #expect(!"\(hash)".contains("secret$") && !"\(hash)".contains("argon"))
    let secret = Secret.random()
    for text in ["\(secret)", String(reflecting: secret), String(describing: [secret])] {
      #expect(!text.contains(secret.text))
    }
  }
}
