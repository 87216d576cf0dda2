import OffshoreWire
import Testing

@testable import OffshoreServer

/// The access that follows from rules which are added to existing data, changed, or removed.
struct AccessAdoptionTests {
  private let circles: Circles

  init() throws { circles = try Circles(Circles.manifest(rules: [])) }

  private func adopt(_ rules: [AccessRule], version: Int) async throws {
    try await circles.service.log.adopt(Circles.manifest(version: version, rules: rules))
  }

  private func grant(_ kind: String, of owner: Circles.Person, _ reader: Circles.Person)
    async throws -> Role?
  {
    let (scope, account) = (try owner.scope(kind), AccountID(reader.id))
    return try await circles.service.log.read { try $0.grant(of: account, in: scope)?.role }
  }

  @Test func `Access is derived for existing members, and ends with its rule`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    try await circles.share("week", with: "c", of: ida)
    #expect(try await grant("week", of: ida, ben) == nil)
    try await adopt([], version: 1)
    try await adopt(Circles.rules, version: 2)
    #expect(try await grant("week", of: ida, ben) == .viewer)
    #expect(try await grant("week", of: ben, ida) == nil)
    #expect(try await grant("profile", of: ben, ida) == .viewer)
    try await adopt([Circles.rules[0]], version: 3)
    #expect(try await grant("week", of: ida, ben) == .revoked)
    #expect(try await grant("profile", of: ben, ida) == .viewer)
    try await adopt([], version: 4)
    #expect(try await grant("profile", of: ben, ida) == .revoked)
  }

  @Test func `A rule that returns counts the present rows only`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    try await circles.share("week", with: "c", of: ida)
    try await adopt(Circles.rules, version: 2)
    try await adopt([], version: 3)
    // The server has no rule now, so it does not follow the row.
    try await circles.change(.delete, "sharings", "s-\(ida.id)-c", of: ida)
    try await adopt(Circles.rules, version: 4)
    #expect(try await grant("week", of: ida, ben) == .revoked)
  }

  @Test func `An account gets a new personal kind at its next sign-in, and its readers with it`()
    async throws
  {
    let log = circles.service.log
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    let scope = try ida.scope("profile")
    // As if the kind were newer than the account.
    try await log.write { _ = try $0.grant(.revoked, to: AccountID(ida.id), in: scope) }
    try await adopt(Circles.rules, version: 2)
    #expect(try await grant("profile", of: ida, ben) == nil)
    try await log.write { transaction in
      try transaction.grant(.owner, to: AccountID(ida.id), in: scope)
      try AccessRules(Circles.manifest()).settle(on: &transaction)
    }
    #expect(try await grant("profile", of: ida, ben) == .viewer)
  }
}
