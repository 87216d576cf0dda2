import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Commands about members: they apply on their device at once, and are sent in the order of its changes.
/// Anna owns the charter, and Ben is an editor.
struct MemberCommandTests {
  private let harbour: Harbour
  private let scope: ScopeID
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withAnnaAndBen()
    scope = try ScopeID("charter/c1")
    try harbour.grant(.owner, to: anna, "c1")
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    try anna.run(
      "INSERT INTO charters VALUES ('c1', 'Kornati')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Sails', 0)")
    try harbour.settle()
  }

  private func perform(
    _ role: Role, of member: Ship, on ship: Ship, in other: ScopeID? = nil
  ) throws {
    try ship.device.connection.write {
      try ship.replica.perform(
        MemberCommand(role, of: member.account.uuid), in: other ?? scope, by: ship.account.uuid, $0,
        at: harbour.now, makeID: ship.device.nextID)
    }
  }

  private func members(on ship: Ship) throws -> [String] {
    try ship.device.connection.read { try ship.replica.members(of: scope, $0) }
      .map { "\($0.name) \($0.role.name)\($0.isPending ? " pending" : "")" }
  }

  private func role(on ship: Ship) throws -> Role? {
    try ship.device.connection.read { try ship.replica.role(in: scope, $0) }
  }

  private func grant(of ship: Ship) -> Role? {
    harbour.server.grant(of: ship.account, in: scope)?.role
  }

  /// Cancels the oldest command.
  private func cancel(on ship: Ship) throws -> Bool {
    try ship.device.connection.write {
      try ship.replica.cancelCommand($0, at: harbour.now, makeID: ship.device.nextID)
    }
  }

  private func hasWantedRole(_ ship: Ship) throws -> Bool {
    try ship.device.number("SELECT count(*) FROM _cursor WHERE wanted IS NOT NULL") > 0
  }

  // MARK: - Others

  @Test func `A role applies here at once, and everywhere after the next contact`() throws {
    try perform(.viewer, of: ben, on: anna)
    #expect(try members(on: anna) == ["anna owner", "ben viewer pending"])
    #expect(try members(on: ben) == ["anna owner", "ben editor"])
    #expect(grant(of: ben) == .editor)
    try harbour.settle()
    for ship in harbour.ships { #expect(try members(on: ship) == ["anna owner", "ben viewer"]) }
    #expect(try role(on: ben) == .viewer)
    #expect(try anna.isSettled())
  }

  @Test func `A removed member is not listed any more, and loses the rows`() throws {
    try perform(.revoked, of: ben, on: anna)
    #expect(try members(on: anna) == ["anna owner"])
    try harbour.settle()
    #expect(try members(on: anna) == ["anna owner"])
    #expect(try ben.content() == [] && role(on: ben) == .revoked)
    #expect(try anna.dead() == [])
  }

  @Test func `A command is sent after the changes before it, and before those after it`() throws {
    try anna.run("UPDATE tasks SET title = 'Before'")
    try perform(.revoked, of: ben, on: anna)
    try anna.run("UPDATE tasks SET title = 'After'")
    let batches = try #require(try anna.nextPush()).batches
    #expect(batches.map { $0.ops.first?.fields["title"]?.string } == ["Before", nil, "After"])
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "After"])
  }

  @Test func `A lost answer repeats no command`() throws {
    try perform(.viewer, of: ben, on: anna)
    try anna.push(losingAnswer: true)
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    #expect(grant(of: ben) == .editor)
    for ship in harbour.ships { #expect(try members(on: ship) == ["anna owner", "ben editor"]) }
  }

  @Test func `A refused command is listed with the reason, and the former roles return`() throws {
    try harbour.grant(.owner, to: ben, "c1")
    try harbour.grant(.editor, to: anna, "c1")
    try perform(.revoked, of: ben, on: anna)
    try harbour.settle()
    #expect(try members(on: anna) == ["anna editor", "ben owner"])
    #expect(try anna.dead() == ["_members/\(ben.account.uuid.uuidString) forbidden"])
  }

  @Test func `A command that was not sent can be cancelled, and later changes still arrive`() throws
  {
    try anna.run("UPDATE tasks SET title = 'Before'")
    try perform(.viewer, of: ben, on: anna)
    try anna.run("UPDATE tasks SET title = 'After'")
    #expect(try cancel(on: anna))
    #expect(try members(on: anna) == ["anna owner", "ben editor"])
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "After"])
    #expect(grant(of: ben) == .editor)
  }

  @Test func `A command that was part of a request cannot be cancelled`() throws {
    try perform(.viewer, of: ben, on: anna)
    _ = try anna.nextPush()
    #expect(try !cancel(on: anna))
    try harbour.settle()
    #expect(grant(of: ben) == .viewer)
  }

  // MARK: - The own membership

  @Test func `An account that leaves can only read at once, and its earlier changes are sent`()
    throws
  {
    try ben.run("UPDATE tasks SET title = 'Jib'")
    try perform(.left, of: ben, on: ben)
    #expect(try role(on: ben) == .left && members(on: ben) == ["anna owner"])
    #expect(try ben.titles() == ["t1": "Jib"])
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Jib"])
    #expect(grant(of: ben) == .left)
    #expect(try role(on: ben) == .left && ben.titles() == ["t1": "Jib"])
    #expect(try members(on: anna) == ["anna owner"])
    #expect(try ben.dead() == [] && ben.isSettled() && !hasWantedRole(ben))
  }

  @Test func `An account that retains nothing has no rows at once, and none afterwards`() throws {
    try ben.run("UPDATE tasks SET title = 'Jib'")
    try perform(.revoked, of: ben, on: ben)
    #expect(try ben.content() == [] && role(on: ben) == .revoked)
    try anna.run("UPDATE tasks SET note = 'torn'")
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Jib"], "it was written before")
    #expect(grant(of: ben) == .revoked)
    #expect(try ben.content() == [] && ben.isSettled() && !hasWantedRole(ben))
    #expect(try ben.dead() == [])
    #expect(try ben.device.number("SELECT count(*) FROM _row") == 0)
  }

  @Test func `The rows return if leaving is cancelled`() throws {
    let content = try ben.content()
    try perform(.revoked, of: ben, on: ben)
    #expect(try ben.content() == [])
    #expect(try cancel(on: ben))
    #expect(try ben.content() == content && role(on: ben) == .editor)
    try ben.run("UPDATE tasks SET title = 'Jib'")
    try harbour.settle()
    #expect(try anna.content() == ben.content())
    #expect(try ben.isSettled() && !hasWantedRole(ben))
  }

  @Test func `The rows return if leaving is refused`() throws {
    let content = try anna.content()
    try harbour.grant(.viewer, to: ben, "c1")
    try perform(.revoked, of: anna, on: anna)
    #expect(try anna.content() == [])
    try harbour.settle()
    #expect(try anna.dead() == ["_members/\(anna.account.uuid.uuidString) lastOwner"])
    #expect(try anna.content() == content && role(on: anna) == .owner)
  }

  @Test func `An answer to a pull that was made before leaving shows nothing again`() throws {
    try anna.run("UPDATE tasks SET title = 'Jib'")
    try anna.push()
    let request = try ben.nextPull()
    let response = try harbour.answer(request, of: ben.account)
    try perform(.revoked, of: ben, on: ben)
    _ = try ben.take(response, to: request)
    #expect(try ben.content() == [])
    try harbour.settle()
    #expect(try ben.content() == [] && ben.isSettled())
  }

  @Test(arguments: [Role.left, .revoked])
  func `Leaving is obeyed though the answer is lost`(_ role: Role) throws {
    try perform(role, of: ben, on: ben)
    try ben.push(losingAnswer: true)
    try harbour.settle()
    #expect(grant(of: ben) == role)
    #expect(try self.role(on: ben) == role && !hasWantedRole(ben) && ben.dead() == [])
    #expect(try ben.content().isEmpty == (role == .revoked))
    // An owner invites again.
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.content() == anna.content())
    try ben.run("UPDATE tasks SET title = 'Jib'")
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Jib"])
  }

  @Test func `An account that was removed meanwhile leaves without a refused change`() throws {
    try perform(.left, of: ben, on: ben)
    try harbour.grant(.revoked, to: ben, "c1")
    try harbour.settle()
    #expect(try ben.dead() == [] && ben.content() == [] && !hasWantedRole(ben))
  }

  @Test func `A copy is removed before the server knows that the account leaves`() throws {
    try perform(.left, of: ben, on: ben)
    #expect(
      try ben.device.connection.write {
        try ben.replica.removeCopy(of: scope, $0, at: harbour.now, makeID: ben.device.nextID)
      })
    #expect(try ben.content() == [] && role(on: ben) == .revoked)
    try harbour.settle()
    #expect(grant(of: ben) == .left)
    #expect(try ben.content() == [] && role(on: ben) == .revoked && ben.isSettled())
    #expect(try ben.device.number("SELECT count(*) FROM _row") == 0)
  }

  @Test func `Answers about other scopes show no row of a hidden one`() throws {
    try harbour.grant(.editor, to: ben, "c2")
    try harbour.grant(.editor, to: anna, "c2")
    try harbour.settle()
    try perform(.revoked, of: ben, on: ben)
    try anna.run("INSERT INTO charters VALUES ('c2', 'Vis')")
    try anna.push()
    let other = try ScopeID("charter/c2")
    let request = try ben.device.connection.read { try ben.replica.nextPull($0, of: [other]) }
    let response = try harbour.answer(request, of: ben.account)
    _ = try ben.device.connection.write {
      try ben.replica.apply(
        response, to: request, ofSingleScopes: true,
        at: RequestTimes(sent: harbour.now, received: harbour.now), $0, makeID: ben.device.nextID)
    }
    #expect(try ben.content() == ["'c2''Vis'"])
    try ben.run("UPDATE charters SET name = 'Hvar' WHERE id = 'c2'")
    // The leaving and the change are pushed; only the answer about the change is applied first.
    let push = try #require(try ben.nextPush())
    let answer = try harbour.answer(push, of: ben.account)
    let partial = PushResponse(
      epoch: answer.epoch, serverTime: answer.serverTime,
      results: answer.results.filter { $0.scope == other })
    _ = try ben.take(partial, to: push)
    #expect(try ben.content() == ["'c2''Hvar'"])
    try harbour.settle()
    #expect(try ben.content() == ["'c2''Hvar'"] && ben.isSettled())
  }

  @Test
  func `An account that gives up its role and then leaves has both obeyed, or cancels the second`()
    throws
  {
    try harbour.grant(.owner, to: ben, "c1")
    try harbour.settle()
    try perform(.viewer, of: ben, on: ben)
    #expect(try role(on: ben) == .viewer)
    try perform(.revoked, of: ben, on: ben)
    #expect(try ben.content() == [])
    let last = try ben.device.connection.read {
      try PendingCommands(reader: $0).pending().last?.sealed.batch.id
    }
    #expect(
      try ben.device.connection.write {
        try ben.replica.cancelCommand($0, id: last, at: harbour.now, makeID: ben.device.nextID)
      })
    #expect(try role(on: ben) == .viewer && !ben.content().isEmpty)
    try harbour.settle()
    #expect(grant(of: ben) == .viewer)
    #expect(try role(on: ben) == .viewer && !hasWantedRole(ben) && ben.isSettled())
  }

  @Test func `A change that was made after leaving is sent after it, and deletes nothing`() throws {
    try perform(.left, of: ben, on: ben)
    try ben.run("UPDATE tasks SET title = 'Jib'")
    _ = try ben.device.connection.write {
      try ben.replica.removeCopy(of: scope, $0, at: harbour.now, makeID: ben.device.nextID)
    }
    #expect(try ben.content() == [])
    let ops = try #require(try ben.nextPush()).batches.flatMap(\.ops)
    #expect(ops.allSatisfy { $0.kind == .patch })
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Sails"])
  }

  @Test func `An answer to a pull from before a command sends no command again`() throws {
    let new = try ScopeID("charter/c2")
    try harbour.grant(.owner, to: anna, "c2")
    try anna.pull()
    let request = try anna.nextPull()
    let answer = try harbour.answer(request, of: anna.account)
    // The first one is refused, and the second one changes no row, because there are none.
    try perform(.viewer, of: anna, on: anna, in: new)
    try perform(.left, of: anna, on: anna, in: new)
    try anna.push()
    #expect(harbour.server.grant(of: anna.account, in: new)?.role == .left)
    _ = try anna.take(answer, to: request)
    #expect(try anna.nextPush() == nil)
    try harbour.settle()
    #expect(harbour.server.grant(of: anna.account, in: new)?.role == .left)
  }

  // MARK: - Restores

  @Test func `After a restore of the server a removal is sent again`() throws {
    let copy = harbour.server
    try perform(.revoked, of: ben, on: anna)
    try harbour.settle()
    harbour.server = copy
    try harbour.server.beginEpoch(9)
    try harbour.settle()
    #expect(grant(of: ben) == .revoked)
    #expect(try anna.dead() == [] && members(on: anna) == ["anna owner"])
  }

  @Test func `After a restore of the server an account that had left stays out, and leaves again`()
    throws
  {
    let copy = harbour.server
    try ben.run("UPDATE tasks SET title = 'Jib'")
    try perform(.left, of: ben, on: ben)
    try harbour.settle()
    #expect(try role(on: ben) == .left && !hasWantedRole(ben))
    harbour.server = copy
    try harbour.server.beginEpoch(9)
    #expect(grant(of: ben) == .editor)
    try ben.pullAll()
    // The change and the command are not sent yet.
    #expect(try role(on: ben) == .left && hasWantedRole(ben) && ben.titles() == ["t1": "Jib"])
    #expect(try members(on: ben) == ["anna owner"])
    try harbour.settle()
    #expect(grant(of: ben) == .left)
    #expect(try harbour.titles() == ["t1": "Jib"])
    #expect(try role(on: ben) == .left && !hasWantedRole(ben) && ben.dead() == [])
    #expect(try ben.titles() == ["t1": "Jib"] && ben.isSettled())
  }

  @Test func `An account that joins again after a restore stays after a second one`() throws {
    let former = harbour.server
    try perform(.left, of: ben, on: ben)
    try harbour.settle()
    // The restored data has the command.
    try harbour.server.beginEpoch(9)
    try harbour.settle()
    #expect(try role(on: ben) == .left && grant(of: ben) == .left)
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    #expect(try role(on: ben) == .editor)
    harbour.server = former
    try harbour.server.beginEpoch(10)
    try harbour.settle()
    #expect(grant(of: ben) == .editor)
    #expect(try role(on: ben) == .editor && !hasWantedRole(ben) && ben.dead() == [])
  }

  @Test func `A command to leave that a second restore loses, too, is sent once more`() throws {
    let copy = harbour.server
    try perform(.left, of: ben, on: ben)
    try harbour.settle()
    for epoch: UInt64 in [9, 10] {
      harbour.server = copy
      try harbour.server.beginEpoch(epoch)
      try harbour.settle()
      #expect(try grant(of: ben) == .left && role(on: ben) == .left && !hasWantedRole(ben))
    }
  }

  @Test func `After a restore of the server an account that had joined again stays`() throws {
    let copy = harbour.server
    try perform(.left, of: ben, on: ben)
    try harbour.settle()
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    #expect(try role(on: ben) == .editor)
    harbour.server = copy
    try harbour.server.beginEpoch(9)
    try harbour.settle()
    #expect(grant(of: ben) == .editor)
    #expect(try role(on: ben) == .editor && !hasWantedRole(ben) && ben.dead() == [])
    try ben.run("UPDATE tasks SET title = 'Jib'")
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Jib"])
  }
}
