import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// Rows that one device moves and the same or another device changes or deletes.
struct MovedRowTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withTwoCharters()
    try anna.run(
      "INSERT INTO tasks (id, charterID, title, votes) VALUES ('old', 'c1', 'Ropes', 0)")
    try harbour.settle()
  }

  private static let move: SQL = "UPDATE tasks SET charterID = 'c2' WHERE id = 't-c1'"

  /// Seals a move on Anna's device with an edit that the server refuses: its row's tombstone is
  /// removed.
  private func sealMoveWithRefusedEdit() throws {
    try anna.run("UPDATE tasks SET title = 'Lines' WHERE id = 'old'")
    try anna.run(Self.move)
    _ = try anna.nextPush()
    try ben.run("DELETE FROM tasks WHERE id = 'old'")
    try ben.push()
    try harbour.collect()
  }

  private func expectAlike() throws {
    try harbour.settle()
    #expect(try anna.content() == ben.content())
    for ship in harbour.ships { #expect(try ship.isSettled()) }
  }

  // MARK: - One device

  @Test func `A deletion waits for the move of its row, which is sent again`() throws {
    try sealMoveWithRefusedEdit()
    try anna.run("DELETE FROM tasks WHERE id = 't-c1'")
    try expectAlike()
    #expect(try harbour.titles("c1") == [:])
    #expect(try harbour.titles("c2") == ["t-c2": "Sails"])
    #expect(try anna.dead() == ["tasks/old gone"])
  }

  @Test func `An edit waits for the move of its row, which is sent again`() throws {
    try sealMoveWithRefusedEdit()
    try anna.run("UPDATE tasks SET title = 'Knots', votes = votes + 3 WHERE id = 't-c1'")
    try expectAlike()
    #expect(try harbour.titles("c2") == ["t-c1": "Knots", "t-c2": "Sails"])
    #expect(try ben.device.number("SELECT votes FROM tasks WHERE id = 't-c1'") == 3)
    #expect(try anna.dead() == ["tasks/old gone"])
  }

  @Test func `An edit in the new scope is refused if the move is refused`() throws {
    try harbour.grant(.viewer, to: anna, "c1")
    try anna.run(Self.move)
    _ = try anna.nextPush()
    try anna.run("UPDATE tasks SET title = 'Knots' WHERE id = 't-c1'")
    try expectAlike()
    #expect(try harbour.titles("c1") == ["t-c1": "Sails", "old": "Ropes"])
    #expect(try anna.dead() == ["tasks/t-c1 forbidden", "tasks/t-c1 gone"])
  }

  // MARK: - Two devices

  @Test func `A deletion that arrives after a move has no effect`() throws {
    try ben.run("DELETE FROM tasks WHERE id = 't-c1'")
    try anna.run(Self.move)
    try anna.push()
    try expectAlike()
    #expect(try harbour.titles("c2") == ["t-c1": "Sails", "t-c2": "Sails"])
  }

  @Test func `A move that arrives after a deletion does not restore the row`() throws {
    try ben.run("DELETE FROM tasks WHERE id = 't-c1'")
    try anna.run(Self.move)
    try ben.push()
    try expectAlike()
    #expect(try harbour.titles("c1") == ["old": "Ropes"])
    #expect(try harbour.titles("c2") == ["t-c2": "Sails"])
  }
}
