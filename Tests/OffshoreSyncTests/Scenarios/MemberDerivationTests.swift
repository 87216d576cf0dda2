import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Derivations of the root row of a scope, which follow its members: for each charter the members and the
/// account's own role.
struct MemberDerivationTests {
  private let harbour: Harbour
  private let scope: ScopeID
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    let replica = try Replica(.fleet())
    harbour = try Harbour(
      granting: [],
      creating: [
        Charter.creation, Task.creation,
        "CREATE TABLE crews (id TEXT PRIMARY KEY NOT NULL, names TEXT NOT NULL)",
      ],
      derivations: [
        "charters": { ids, writer in
          for id in ids {
            let scope = try ScopeID(kind: "charter", value: id)
            let names = try replica.members(of: scope, writer).map { "\($0.name) \($0.role.name)" }
            let role = try replica.role(in: scope, writer)?.name ?? "none"
            let text = (names + [role]).joined(separator: ", ")
            try SQL("INSERT OR REPLACE INTO crews VALUES (\(id), \(text))").run(writer)
          }
        }
      ])
    scope = try ScopeID("charter/c1")
    for (ship, name) in zip(harbour.ships, ["anna", "ben"]) {
      harbour.server.setAccount(
        Account(id: ship.account, name: try AccountName(name), password: .none, created: 0))
    }
    try harbour.grant(.owner, to: anna, "c1")
    try anna.pullAll()
    try anna.run("INSERT INTO charters VALUES ('c1', 'Kornati')")
    try harbour.settle()
  }

  private func crew(on ship: Ship) throws -> [String] {
    try ship.device.texts("SELECT names FROM crews WHERE id = 'c1'")
  }

  private func perform(_ role: Role, of member: Ship, on ship: Ship) throws {
    try ship.device.connection.write {
      try ship.replica.perform(
        MemberCommand(role, of: member.account.uuid), in: scope, by: ship.account.uuid, $0,
        at: harbour.now, makeID: ship.device.nextID)
    }
  }

  @Test func `They follow members that a pull adds, changes or removes`() throws {
    try harbour.grant(.editor, to: ben, "c1")
    try anna.pullAll()
    #expect(try crew(on: anna) == ["anna owner, ben editor, owner"])
    try harbour.grant(.viewer, to: ben, "c1")
    try anna.pullAll()
    #expect(try crew(on: anna) == ["anna owner, ben viewer, owner"])
    try harbour.grant(.revoked, to: ben, "c1")
    try anna.pullAll()
    #expect(try crew(on: anna) == ["anna owner, owner"])
  }

  @Test func `They follow the role of the account`() throws {
    try harbour.grant(.editor, to: ben, "c1")
    try ben.pullAll()
    #expect(try crew(on: ben) == ["anna owner, ben editor, editor"])
    try harbour.grant(.viewer, to: ben, "c1")
    // The answer brings the role, and the page follows.
    let request = try ben.nextPull()
    let answer = try harbour.answer(request, of: ben.account)
    let roles = PullResponse(
      serverTime: answer.serverTime, epoch: answer.epoch, grants: answer.grants, scopes: [])
    _ = try ben.take(roles, to: request)
    #expect(try crew(on: ben) == ["anna owner, ben editor, viewer"])
    try ben.pullAll()
    #expect(try crew(on: ben) == ["anna owner, ben viewer, viewer"])
  }

  @Test func `They follow a command at once, and its cancellation`() throws {
    try harbour.grant(.editor, to: ben, "c1")
    try anna.pullAll()
    try perform(.viewer, of: ben, on: anna)
    #expect(try crew(on: anna) == ["anna owner, ben viewer, owner"])
    let isCancelled = try anna.device.connection.write {
      try anna.replica.cancelCommand($0, at: harbour.now, makeID: anna.device.nextID)
    }
    #expect(isCancelled)
    #expect(try crew(on: anna) == ["anna owner, ben editor, owner"])
  }

  @Test func `They follow the refusal of a command`() throws {
    try harbour.grant(.editor, to: ben, "c1")
    try anna.pullAll()
    try perform(.revoked, of: ben, on: anna)
    #expect(try crew(on: anna) == ["anna owner, owner"])
    try harbour.grant(.owner, to: ben, "c1")
    try harbour.grant(.editor, to: anna, "c1")
    try anna.push()
    #expect(try crew(on: anna) == ["anna owner, ben editor, owner"])
  }

  @Test(arguments: [Role.left, .viewer])
  func `They follow a command of the account about itself`(_ role: Role) throws {
    try harbour.grant(.editor, to: ben, "c1")
    try ben.pullAll()
    try perform(role, of: ben, on: ben)
    let expected = role == .left ? "anna owner, left" : "anna owner, ben viewer, viewer"
    #expect(try crew(on: ben) == [expected])
    let isCancelled = try ben.device.connection.write {
      try ben.replica.cancelCommand($0, at: harbour.now, makeID: ben.device.nextID)
    }
    #expect(isCancelled)
    #expect(try crew(on: ben) == ["anna owner, ben editor, editor"])
  }
}
