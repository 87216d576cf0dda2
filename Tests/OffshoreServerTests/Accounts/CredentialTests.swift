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

struct SecretTests {
  @Test func `A secret is parsed from its text, which needs no escaping`() {
    for _ in 0..<500 {
      let secret = Secret.random()
      #expect(secret.text.utf8.count == 43)
      #expect(
        secret.text.utf8.allSatisfy { byte in
          UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_".utf8.contains(byte)
        })
      #expect(Secret(secret.text) == secret)
      #expect(Secret(secret.text)?.hash == secret.hash)
    }
  }

  @Test func `Random secrets differ, and so do their hashes`() {
    let secrets = (0..<1_000).map { _ in Secret.random() }
    #expect(Set(secrets).count == 1_000 && Set(secrets.map(\.hash)).count == 1_000)
  }

  @Test func `A text of another form is not a secret`() throws {
    let text = Secret(bytes: Array(repeating: 0xFF, count: 32)).text
    #expect(text == String(repeating: "_", count: 42) + "8")
    // The last character encodes four bits of the secret. Its two other bits are 0.
    let strange = [
      "", "x", text + "=", String(text.dropLast()), text + "A", text.replacing("_", with: "/"),
      String(text.dropLast()) + "9", String(text.dropLast()) + " ", String(text.dropLast()) + "é",
    ]
    for other in strange { #expect(Secret(other) == nil, "\(other)") }
  }
}

struct AccountNameTests {
  @Test(arguments: [
    ("ida@example.org", "ida@example.org"), ("  Ida.B-1+x_2  ", "ida.b-1+x_2"), ("7up", "7up"),
    (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
  ])
  func `A name is the typed text, trimmed and in lower case`(typed: String, name: String) throws {
    #expect(try AccountName(typed).text == name)
  }

  @Test(arguments: [
    "", "ab", "  ab  ", "-ab", ".ab", "@ab", "a b", "идa", "ida\n", "ida\0", "i/da", "ida\u{301}",
    String(repeating: "a", count: 65), "K\u{212A}L",
  ])
  func `An invalid account name is refused with the rule for names`(typed: String) {
    let error = #expect(throws: AccountError.self) { try AccountName(typed) }
    #expect(error?.code == .invalidName && error?.message.contains("3 to 64") == true)
  }
}
