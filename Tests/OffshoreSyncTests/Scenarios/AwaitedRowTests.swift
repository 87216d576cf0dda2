import Offshore
import OffshoreSync
import OffshoreWire
import Testing

/// Writes to two scopes, each of which depends on a row in the other's batch.
struct AwaitedRowTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }

  /// Creates the mark m1 in c1, without a reference, on both devices.
  init() throws {
    harbour = try Harbour(
      granting: ["c1", "c2"], schema: .marks(), creating: [Mark.creation])
    try anna.pullAll()
    try anna.run("INSERT INTO marks VALUES ('m1', 'c1', NULL)")
    try harbour.settle()
  }

  private func marks(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      "SELECT id || ' in ' || charterID || ifnull(' to ' || nextID, '') FROM marks ORDER BY id")
  }

  private func expect(_ marks: [String], dead: [String] = []) throws {
    try harbour.settle()
    for ship in harbour.ships {
      #expect(try self.marks(ship) == marks)
      #expect(try ship.isSettled())
    }
    #expect(try anna.dead() == dead)
  }

  @Test func `A move waits for the referenced row in the other scope`() throws {
    try anna.run(
      "INSERT INTO marks VALUES ('m2', 'c2', NULL)",
      "UPDATE marks SET charterID = 'c2', nextID = 'm2' WHERE id = 'm1'")
    try expect(["m1 in c2 to m2", "m2 in c2"])
  }

  @Test func `A row waits for the move of a referenced row, which waits for others`() throws {
    try anna.run(
      "INSERT INTO marks VALUES ('m2', 'c2', NULL)",
      "UPDATE marks SET charterID = 'c2', nextID = 'm2' WHERE id = 'm1'",
      "INSERT INTO marks VALUES ('m3', 'c2', 'm1')",
      "INSERT INTO marks VALUES ('m4', 'c2', 'm3')")
    try expect(["m1 in c2 to m2", "m2 in c2", "m3 in c2 to m1", "m4 in c2 to m3"])
  }

  @Test func `An edit waits for the move of its row, which waits for others`() throws {
    try anna.run("UPDATE marks SET charterID = 'c2' WHERE id = 'm1'")
    _ = try anna.nextPush()
    try anna.run(
      "INSERT INTO marks VALUES ('m2', 'c2', NULL)",
      "UPDATE marks SET nextID = 'm2' WHERE id = 'm1'")
    try expect(["m1 in c2 to m2", "m2 in c2"])
  }

  @Test func `Many awaited moves need few messages`() throws {
    for number in 10..<30 {
      try anna.run("INSERT INTO marks VALUES (\("m\(number)"), 'c1', NULL)")
    }
    try harbour.settle()
    for number in 10..<30 {
      try anna.run(
        "INSERT INTO marks VALUES (\("n\(number)"), 'c2', NULL)",
        """
        UPDATE marks SET charterID = 'c2', nextID = \("n\(number)")
        WHERE id = \("m\(number)")
        """,
        "INSERT INTO marks VALUES (\("o\(number)"), 'c2', \("m\(number)"))")
    }
    var messages = 0
    while try anna.push() != nil { messages += 1 }
    #expect(messages <= 4)
    try harbour.settle()
    #expect(try anna.device.number("SELECT count(*) FROM marks WHERE charterID = 'c2'") == 60)
    #expect(try anna.dead() == [])
    #expect(try marks(anna) == marks(harbour.ships[1]))
  }

  @Test func `Rows that wait for each other in a circle are refused`() throws {
    try anna.run(
      "INSERT INTO marks VALUES ('m2', 'c2', NULL)",
      "UPDATE marks SET charterID = 'c2', nextID = 'm2' WHERE id = 'm1'",
      "UPDATE marks SET nextID = 'm1' WHERE id = 'm2'")
    try expect(["m1 in c1"], dead: ["marks/m1 dependency", "marks/m2 missingReference"])
  }

  @Test func `A row that waits for a refused move is refused with it`() throws {
    try harbour.grant(.viewer, to: anna, "c1")
    try anna.run(
      "UPDATE marks SET charterID = 'c2' WHERE id = 'm1'",
      "INSERT INTO marks VALUES ('m2', 'c2', 'm1')")
    try anna.run("INSERT INTO marks VALUES ('m3', 'c2', NULL)")
    try expect(
      ["m1 in c1", "m3 in c2"], dead: ["marks/m1 forbidden", "marks/m2 missingReference"])
  }
}

/// A place on a chart, which may refer to the next one.
private struct Mark: Record {
  let id: String
  var charterID: String
  var nextID: String?
  static let table = Table(
    "marks", Mark.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("nextID", \.nextID).references("marks", onDelete: .setNull))
  static let creation: SQL = """
    CREATE TABLE marks (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL,
      nextID TEXT REFERENCES marks ON DELETE SET NULL)
    """
}

extension SyncSchema {
  fileprivate static func marks() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Mark.self, scope: .kind("charter", \.charterID)))
  }
}
