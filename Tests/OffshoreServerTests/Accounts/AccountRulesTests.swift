import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Sign-up, access tokens and passwords.
struct AccountRulesTests {
  private let rules = AccountRules(personalKinds: ["person"])
  private var log = MemoryState(epoch: 7)
  private let now: Int64 = 1_000_000

  init() throws { try signUp(1) }

  private mutating func signUp(_ number: UInt8, name: String? = nil) throws {
    try rules.signUp(
      AccountName(name ?? "person-\(number)"), PasswordHash(stored: "hash \(number)"),
      as: .sample(number), at: now, in: &log)
  }

  @Test func `A new account owns its personal scope and has no other grant`() throws {
    let own = try AccountRules.personalScope("person", of: .sample(1))
    #expect(log.grants(of: .sample(1), after: 0) == [Grant(own, .owner, seq: 1)])
    #expect(log.account(.sample(1))?.created == now)
  }

  @Test
  mutating func `An account older than a personal kind gets that kind's scope with its next token`()
    throws
  {
    let later = AccountRules(personalKinds: ["person", "diary"])
    for secret in [UInt8(1), 2] {
      _ = try later.addToken(.sample(secret), for: .sample(1), label: "", at: now, in: &log)
    }
    let scopes = try ["person", "diary"].map {
      try AccountRules.personalScope($0, of: .sample(1))
    }
    #expect(log.grants(of: .sample(1), after: 0).map(\.scope) == scopes)
  }

  @Test mutating func `A taken name or id is refused, and its account does not change`() throws {
    for (number, name) in [(UInt8(2), "Person-1"), (1, "person-2")] {
      let before = log
      let error = #expect(throws: AccountError.self) { try signUp(number, name: name) }
      #expect(error?.code == .taken)
      #expect(log == before)
    }
  }

  @Test mutating func `A token authenticates its account until it expires or is removed`() throws {
    let token = try rules.addToken(
      .sample(1), for: .sample(1), label: String(repeating: "é", count: 300), at: now, in: &log)
    #expect(token.label.count == 100)
    #expect(try rules.token(bearing: .sample(1), at: now, from: log).account == .sample(1))
    #expect(try rules.token(bearing: .sample(1), at: token.expires - 1, from: log) == token)
    for (secret, time) in [(Secret.sample(1), token.expires), (.sample(2), now)] {
      let error = #expect(throws: AccountError.self) {
        try rules.token(bearing: secret, at: time, from: log)
      }
      #expect(error?.code == .unauthorized)
    }
    log.removeToken(token.hash)
    #expect(throws: AccountError.self) {
      try rules.token(bearing: .sample(1), at: now, from: log)
    }
  }

  @Test mutating func `A new token removes the account's expired tokens`() throws {
    let first = try rules.addToken(.sample(1), for: .sample(1), label: "", at: now, in: &log)
    _ = try rules.addToken(.sample(2), for: .sample(1), label: "", at: first.expires, in: &log)
    #expect(log.tokens(of: .sample(1)).map(\.hash) == [Secret.sample(2).hash])
  }

  @Test mutating func `A new token replaces the oldest if the account has as many as it may have`()
    throws
  {
    var rules = rules
    rules.maximumTokens = 2
    for secret in [UInt8(3), 1, 2] {
      _ = try rules.addToken(
        .sample(secret), for: .sample(1), label: "", at: now + Int64(secret), in: &log)
    }
    #expect(log.tokens(of: .sample(1)).map(\.hash) == [2, 3].map { Secret.sample($0).hash })
  }

  @Test mutating func `A new password signs the account's other devices out`() throws {
    try signUp(2)
    for (secret, account) in [(UInt8(1), UInt8(1)), (2, 1), (3, 2)] {
      _ = try rules.addToken(
        .sample(secret), for: .sample(account), label: "", at: now, in: &log)
    }
    try rules.setPassword(
      PasswordHash(stored: "new"), of: .sample(1), keeping: Secret.sample(2).hash, in: &log)
    #expect(log.account(.sample(1))?.password.text == "new")
    #expect(log.tokens(of: .sample(1)).map(\.hash) == [Secret.sample(2).hash])
    #expect(log.tokens(of: .sample(2)).count == 1)
    #expect(throws: AccountError.self) {
      try rules.setPassword(
        PasswordHash(stored: "new"), of: .sample(9), keeping: nil, in: &log)
    }
  }
}
