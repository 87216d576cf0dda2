import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// Scopes that are removed from a device before the server has them.
struct UnsentScopeTests {
  private let harbour: Harbour
  private let scope: ScopeID
  private var anna: Ship { harbour.ships[0] }

  /// A device that knows the charter c1 from the server, and has made the charter c2 with two tasks.
  init() throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(
        Task.self, scope: .kind("charter", \.charterID), keepsRefused: true,
        .merged(\.votes, .counter), .merged(\.items, .keyed), .local(\.isOpen)),
      claimableKinds: ["charter"])
    harbour = try Harbour.withTask(schema: schema)
    scope = try ScopeID("charter/c2")
    try anna.run(
      "INSERT INTO charters VALUES ('c2', 'Secret')", Self.insertion("t2"), Self.insertion("t3"))
  }

  private static func insertion(_ id: String) -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), 'c2', 'Secret', 0)"
  }

  private func withdraw() throws -> Bool {
    try anna.device.connection.write {
      try anna.replica.withdraw(scope, $0, at: harbour.now, makeID: anna.device.nextID)
    }
  }

  private func perform(_ command: MemberCommand) throws {
    try anna.device.connection.write {
      try anna.replica.perform(
        command, in: scope, by: anna.account.uuid, $0, at: harbour.now, makeID: anna.device.nextID)
    }
  }

  private func hasTrace() throws -> Bool {
    try anna.device.number(
      """
      SELECT (SELECT count(*) FROM _batch WHERE scope = 'charter/c2')
        + (SELECT count(*) FROM _row WHERE scope = 'charter/c2')
        + (SELECT count(*) FROM _shadow WHERE scope = 'charter/c2')
        + (SELECT count(*) FROM _cursor WHERE scope = 'charter/c2')
        + (SELECT count(*) FROM _dead WHERE scope = 'charter/c2')
        + (SELECT count(*) FROM charters WHERE id = 'c2')
        + (SELECT count(*) FROM tasks WHERE charterID = 'c2')
      """) > 0
  }

  @Test(arguments: [false, true])
  func `All changes and commands of the scope are withdrawn, and others are sent`(isSealed: Bool)
    throws
  {
    try perform(MemberCommand(.editor, of: harbour.ships[1].account.uuid, isAddition: true))
    if isSealed { try anna.pullAll() }
    try anna.run("UPDATE tasks SET title = 'Oars' WHERE id = 't1'", Self.insertion("t4"))
    #expect(try withdraw())
    #expect(try !hasTrace())
    let request = try #require(try anna.nextPush())
    #expect(request.batches.map(\.scope.text) == ["charter/c1"])
    #expect(request.batches.flatMap(\.ops).map(\.row.id) == ["t1"])
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    try harbour.settle()
    #expect(try harbour.titles() == ["t1": "Oars"])
    #expect(!harbour.server.hasGrants(in: scope))
    #expect(try anna.isSettled())
  }

  @Test func `Refused changes of a scope that could not be claimed are withdrawn`() throws {
    try harbour.server.grant(.owner, to: harbour.ships[1].account, in: scope)
    #expect(try anna.push()?.rejected == 1)
    #expect(try !anna.dead().isEmpty)
    #expect(try withdraw())
    #expect(try !hasTrace())
    #expect(try anna.nextPush() == nil)
  }

  @Test func `A scope that the server may have stays`() throws {
    let request = try #require(try anna.nextPush())
    #expect(try !withdraw())
    _ = try harbour.answer(request, of: anna.account)
    #expect(try !withdraw())
    try harbour.settle()
    #expect(try !withdraw())
    #expect(try harbour.titles("c2") == ["t2": "Secret", "t3": "Secret"])
    #expect(try anna.device.number("SELECT count(*) FROM tasks") == 3)
  }

  @Test func `A scope with a row from another one stays`() throws {
    try anna.run("UPDATE tasks SET charterID = 'c2' WHERE id = 't1'")
    #expect(try !withdraw())
    #expect(try anna.device.number("SELECT count(*) FROM tasks WHERE charterID = 'c2'") == 3)
    #expect(try anna.nextPush()?.batches.map(\.scope).contains(scope) == true)
  }
}
