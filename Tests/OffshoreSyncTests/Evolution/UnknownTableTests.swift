import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Tables that a device does not have yet, or has dropped.
struct UnknownTableTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.second(), .first())
    try yard.anna.run(
      "INSERT INTO berths (id, charterID, name) VALUES ('b1', 'c1', 'North')",
      "INSERT INTO buoys VALUES ('y1', 'c1', 'b1', 'red'), ('y2', 'c2', NULL, 'green')")
    try yard.settle()
  }

  @Test func `Rows of an unknown table are stored, also when they change or are deleted`() throws {
    try yard.anna.run("UPDATE buoys SET colour = 'black' WHERE id = 'y1'")
    try yard.settle()
    try yard.anna.run("DELETE FROM buoys WHERE id = 'y2'")
    try yard.settle()
    #expect(try yard.ben.device.number("SELECT count(*) FROM _row WHERE tbl = 'buoys'") == 2)
  }

  @Test func `An update shows stored rows of an added table, without the network`() throws {
    try yard.update(to: .second())
    #expect(try yard.buoys(yard.ben) == ["y1 red b1", "y2 green -"])
    #expect(try yard.ben.isSettled())
    try yard.ben.run("UPDATE buoys SET colour = 'white' WHERE id = 'y1'")
    try yard.anna.run("DELETE FROM buoys WHERE id = 'y2'")
    try yard.settle()
    #expect(try yard.buoys(yard.anna) == ["y1 white b1"])
    #expect(try yard.buoys(yard.ben) == ["y1 white b1"])
  }

  @Test func `A row that existed before its table was synced is shown instead of the stored one`()
    throws
  {
    try yard.ben.device.run(
      Buoy.creation, "INSERT INTO buoys VALUES ('y1', 'c1', NULL, 'mine'), ('y3', 'c1', NULL, 'x')")
    let release = try Release.second()
    let migration = Migration("v2_add") { writer in
      for sql in release.steps[1].statements.dropLast() { try sql.run(writer) }
    }
    try yard.ben.device.connection.migrate([migration])
    try yard.update(to: release)
    #expect(try yard.buoys(yard.ben) == ["y1 mine -", "y2 green -", "y3 x -"])
    try yard.settle()
    #expect(try yard.buoys(yard.anna) == yard.buoys(yard.ben))
    #expect(try yard.buoys(yard.ben).count == 3)
  }

  @Test func `Scopes are fetched again if a stored row refers to a row deleted here`() throws {
    try yard.ben.run("DELETE FROM berths WHERE id = 'b1'")
    try yard.update(to: .second())
    #expect(try yard.buoys(yard.ben) == [])
    try yard.settle()
    #expect(try yard.buoys(yard.ben) == ["y1 red -", "y2 green -"])
    #expect(try yard.buoys(yard.anna) == yard.buoys(yard.ben))
  }

  @Test func `Rows that a table refuses are pending until they are fetched again`() throws {
    let release = try Release.second()
    var steps = release.steps
    steps[1].statements.append(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON buoys
      WHEN new.colour = 'red' AND (SELECT grants FROM _state) < 100
      BEGIN SELECT raise(ABORT, 'not yet'); END
      """)
    try yard.update(to: Release(schema: release.schema, steps: steps))
    #expect(try yard.buoys(yard.ben) == ["y2 green -"])
    try yard.ben.device.run("DROP TRIGGER refuse")
    try yard.settle()
    #expect(try yard.buoys(yard.ben) == ["y1 red b1", "y2 green -"])
  }
}
