import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// The user's view of pending and refused changes.
struct StatusTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour()
    try anna.pullAll()
    try anna.run("INSERT INTO charters VALUES ('c1', 'Alma')", Self.task("t1"))
    try harbour.settle()
  }

  private static func task(_ id: String) -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes, items) VALUES (\(id), 'c1', 'Sails', 1, '{\"a\":1}')"
  }

  private func status(_ ship: Ship) throws -> OutboxStatus {
    try ship.device.connection.read { try ship.replica.status($0) }
  }

  private func rowStatus(_ ship: Ship, _ id: String = "t1") throws -> RowStatus {
    try ship.device.connection.read {
      try ship.replica.status(of: RowID(table: "tasks", id: id), $0)
    }
  }

  private func letters(_ ship: Ship) throws -> [DeadLetter] {
    try ship.device.connection.read { try ship.replica.deadLetters($0) }
  }

  private func scope() throws -> ScopeID { try ScopeID("charter/c1") }

  @Test func `A change counts as pending from its capture until it is pulled`() throws {
    #expect(try status(anna).pending == 0 && rowStatus(anna) == .synced)
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    #expect(try status(anna).pending == 1 && rowStatus(anna) == .pending)
    let request = try #require(try anna.nextPush())
    #expect(try status(anna).scopes[scope()]?.pending == 1)
    #expect(try status(anna).oldest == harbour.now)
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    #expect(try status(anna).pending == 0 && rowStatus(anna) == .pending)
    try anna.pullAll()
    #expect(try rowStatus(anna) == .synced)
    #expect(try status(anna).oldest == nil)
  }

  @Test func `A change that is sealed again keeps its time`() throws {
    try anna.run("INSERT INTO charters VALUES ('c2', 'Luna')")
    let made = harbour.now
    try anna.run("UPDATE tasks SET title = 'Ropes'")
    try anna.run("UPDATE charters SET name = 'Vega' WHERE id = 'c1'")
    _ = try anna.nextPush()
    try ben.run("DELETE FROM tasks")
    try ben.push()
    try harbour.collect()
    harbour.now += 60_000
    #expect(try anna.push()?.rejected == 1)
    #expect(try status(anna).scopes[scope()]?.oldest == made)
    try harbour.settle()
    #expect(try letters(anna).map(\.rejection.code) == [.gone])
  }

  @Test func `The status has the role in each scope`() throws {
    try harbour.grant(.viewer, to: anna, "c1")
    try harbour.settle()
    #expect(try status(anna).scopes.mapValues(\.role) == [scope(): .viewer])
  }

  @Test func `A refused change has a reason and can be retried`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run(
      "UPDATE tasks SET title = 'Ropes', votes = votes + 2, items = '{\"a\":1,\"b\":2}'")
    try harbour.settle()
    #expect(try rowStatus(ben) == .refused)
    #expect(try status(ben).refused == 2 && status(ben).scopes[scope()]?.refused == 2)
    #expect(try letters(ben).map(\.rejection.code) == [.forbidden, .forbidden])
    try anna.run("UPDATE tasks SET votes = 5, note = 'old', items = '{\"a\":7}'")
    try harbour.grant(.editor, to: ben, "c1")
    try harbour.settle()
    for letter in try letters(ben) {
      #expect(try ben.device.connection.write { try ben.replica.retry(letter.id, $0) })
    }
    try harbour.settle()
    #expect(
      try anna.device.texts("SELECT title || votes || note || items FROM tasks")
        == ["Ropes7old{\"a\":7,\"b\":2}"])
    #expect(try letters(ben) == [] && rowStatus(ben) == .synced)
  }

  @Test func `A refused insertion and deletion can be retried`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run(Self.task("t2"), "DELETE FROM tasks WHERE id = 't1'")
    try harbour.settle()
    #expect(try ben.titles() == ["t1": "Sails"])
    try harbour.grant(.editor, to: ben, "c1")
    for letter in try letters(ben) {
      #expect(try ben.device.connection.write { try ben.replica.retry(letter.id, $0) })
    }
    try harbour.settle()
    #expect(try anna.titles() == ["t2": "Sails"])
  }

  @Test func `An edit of a deleted row cannot be retried, and can be discarded`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run("UPDATE tasks SET title = 'Ropes'")
    try anna.run("DELETE FROM tasks")
    try harbour.settle()
    let letter = try #require(try letters(ben).first)
    #expect(try !ben.device.connection.write { try ben.replica.retry(letter.id, $0) })
    #expect(try letters(ben) == [letter])
    #expect(try ben.device.connection.write { try ben.replica.discard(letter.id, $0) })
    #expect(try !ben.device.connection.write { try ben.replica.discard(letter.id, $0) })
    #expect(try rowStatus(ben) == .synced)
  }

  @Test func `A decided conflict can be reverted`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes', items = '{\"a\":2}'")
    try anna.push()
    harbour.now += 1000
    try ben.run("UPDATE tasks SET title = 'Lines', items = '{\"a\":3}'")
    try harbour.settle()
    let row = RowID(table: "tasks", id: "t1")
    let conflicts = try anna.device.connection.read { try anna.replica.conflicts(of: row, $0) }
    #expect(conflicts.map(\.field) == ["items.a", "title"])
    for conflict in conflicts {
      #expect(try anna.device.connection.write { try anna.replica.revert(conflict, $0) })
    }
    try harbour.settle()
    #expect(try ben.device.texts("SELECT title || items FROM tasks") == ["Ropes{\"a\":2}"])
  }

  /// Creates a conflict about a title that Ben's edit, the later one, wins. Returns all conflicts.
  private func titleConflicts() throws -> [Conflict] {
    try anna.run("UPDATE tasks SET title = 'Ropes', items = '{\"a\":2}', votes = 3")
    try anna.push()
    harbour.now += 1000
    try ben.run("UPDATE tasks SET title = 'Lines', items = '{\"a\":3}', votes = 4")
    try harbour.settle()
    harbour.now += 1000
    let row = RowID(table: "tasks", id: "t1")
    return try ben.device.connection.read { try ben.replica.conflicts(of: row, $0) }
  }

  private func stamp(of conflict: Conflict, on ship: Ship) throws -> Stamp? {
    try ship.device.connection.read { reader in
      try ship.replica.currentStamp(of: conflict, in: scope(), reader)
    }
  }

  @Test
  func `A value that stayed and is written again is later on every device, and counts as pending`()
    throws
  {
    let conflict = try #require(try titleConflicts().first { $0.field == "title" })
    #expect(try stamp(of: conflict, on: anna) == conflict.winningStamp)
    #expect(try ben.device.connection.write { try ben.replica.restate([conflict], $0) })
    #expect(try rowStatus(ben) == .pending)
    try harbour.settle()
    #expect(try rowStatus(ben) == .synced)
    for ship in [anna, ben] {
      let latest = try #require(try stamp(of: conflict, on: ship))
      #expect(latest > conflict.winningStamp && latest.device == conflict.winningStamp.device)
      #expect(try ship.titles() == ["t1": "Lines"])
    }
  }

  @Test func `A restated value can be cancelled, and deleted with its row`() throws {
    let conflict = try #require(try titleConflicts().first { $0.field == "title" })
    let write = { try ben.device.connection.write { try ben.replica.restate([conflict], $0) } }
    #expect(try write())
    #expect(try ben.device.connection.write { try ben.replica.outbox.cancel(conflict.row, $0) })
    #expect(try rowStatus(ben) == .synced)
    #expect(try write())
    try ben.run("DELETE FROM tasks")
    try harbour.settle()
    #expect(try anna.titles() == [:])
    #expect(try !write())
  }

  @Test func `Parts and sums cannot be restated`() throws {
    let conflicts = try titleConflicts()
    let part = try #require(conflicts.first { $0.field == "items.a" })
    #expect(try !ben.device.connection.write { try ben.replica.restate([part], $0) })
    #expect(try rowStatus(ben) == .synced)
  }
}
