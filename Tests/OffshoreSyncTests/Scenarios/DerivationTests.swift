import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// Local columns that are derived from synced ones.
struct DerivationTests {
  /// Closes the tasks whose title ends with “, done”. The column is local and never sent.
  private static let derivations: [String: Replica.Derivation] = [
    "tasks": { ids, writer in
      for id in ids {
        try SQL("UPDATE tasks SET isOpen = title NOT LIKE '%, done' WHERE id = \(id)").run(writer)
      }
    }
  ]

  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour(derivations: Self.derivations)
    try anna.pullAll()
    try anna.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')",
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Sails, done', 0)")
    try harbour.settle()
  }

  private func open(_ ship: Ship) throws -> [String] {
    try ship.device.texts("SELECT id FROM tasks WHERE isOpen ORDER BY id")
  }

  @Test func `Derived columns follow a row's first values, and no change is sent`() throws {
    // The derivation also runs for her own row, when the server has confirmed it.
    #expect(try open(anna) == [])
    #expect(try open(ben) == [])
    #expect(try ben.isSettled())
  }

  @Test func `Derived columns follow changes by others`() throws {
    try anna.run("UPDATE tasks SET title = 'Sails' WHERE id = 't1'")
    try harbour.settle()
    #expect(try open(ben) == ["t1"])
  }

  @Test func `Derived columns follow a value restored after a refusal`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run("UPDATE tasks SET title = 'Sails', isOpen = 1 WHERE id = 't1'")
    try ben.push()
    #expect(try ben.titles() == ["t1": "Sails, done"])
    #expect(try open(ben) == [])
  }

  private func letters(_ ship: Ship) throws -> [DeadLetter] {
    try ship.device.connection.read { try ship.replica.deadLetters($0) }
  }

  @Test func `Derived columns follow a cancelled change, and no change is sent`() throws {
    try anna.run("UPDATE tasks SET isOpen = 0")
    try anna.run("UPDATE tasks SET title = 'Sails', isOpen = 1 WHERE id = 't1'")
    let row = RowID(table: "tasks", id: "t1")
    #expect(try anna.device.connection.write { try anna.replica.outbox.cancel(row, $0) })
    #expect(try open(anna) == [] && anna.titles() == ["t1": "Sails, done"])
    try anna.run("DELETE FROM tasks")
    let last = try #require(
      try anna.device.connection.read { try anna.replica.outbox.transactions($0) }.last)
    #expect(
      try anna.device.connection.write { try anna.replica.outbox.cancelTransaction(last, $0) })
    #expect(try open(anna) == [] && anna.titles() == ["t1": "Sails, done"])
    #expect(try anna.isSettled())
  }

  @Test func `Derived columns follow a retried change, and the row of a discarded one`() throws {
    try harbour.grant(.viewer, to: ben, "c1")
    try ben.run("UPDATE tasks SET title = 'Sails' WHERE id = 't1'")
    try ben.push()
    let letter = try #require(try letters(ben).first)
    #expect(try open(ben) == [])
    #expect(try ben.device.connection.write { try ben.replica.retry(letter.id, $0) })
    #expect(try open(ben) == ["t1"])
    try ben.push()
    let again = try #require(try letters(ben).first)
    try ben.run("UPDATE tasks SET isOpen = 1")
    #expect(try ben.device.connection.write { try ben.replica.discard(again.id, $0) })
    #expect(try open(ben) == [])
  }

  @Test func `Derived columns follow a restored losing value`() throws {
    try anna.run("UPDATE tasks SET title = 'Sails' WHERE id = 't1'")
    harbour.now += 1_000
    try ben.run("UPDATE tasks SET title = 'Lines, done' WHERE id = 't1'")
    try harbour.settle()
    #expect(try open(anna) == [])
    let row = RowID(table: "tasks", id: "t1")
    let conflict = try #require(
      try anna.device.connection.read { try anna.replica.conflicts(of: row, $0) }.last)
    #expect(try anna.device.connection.write { try anna.replica.revert(conflict, $0) })
    #expect(try open(anna) == ["t1"] && anna.titles() == ["t1": "Sails"])
  }

  @Test func `A derivation for a table that is not synced is refused`() throws {
    #expect(throws: ReplicaError.self) {
      _ = try Replica(.fleet(), derivations: ["settings": { _, _ in }])
    }
  }
}
