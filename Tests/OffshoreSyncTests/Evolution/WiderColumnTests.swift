import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Columns that store more values since a release.
struct WiderColumnTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.widened(), .marked())
    try yard.anna.run(
      "INSERT INTO marks VALUES ('m1', 'c1', 'North', 5, 'lit'), ('m2', 'c1', NULL, 6, 'lit')")
    try yard.settle(hidden: ["m2"])
    try yard.anna.run("UPDATE marks SET name = 'South' WHERE id = 'm2'")
    try yard.settle()
  }

  private func marks(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      """
      SELECT id || ' ' || ifnull(name, '-') || ' ' || quote(depth) || ' ' || state
      FROM marks ORDER BY id
      """)
  }

  @Test func `A row that a former release cannot store appears when it can`() throws {
    #expect(try marks(yard.ben) == ["m1 North 5 lit", "m2 South 6 lit"])
  }

  @Test func `A former release keeps values that its columns cannot store`() throws {
    try yard.anna.run("UPDATE marks SET name = NULL, depth = 'deep', state = 'dim'")
    try yard.settle()
    #expect(try marks(yard.ben) == ["m1 North 3 lit", "m2 South 3 lit"])
    try yard.ben.run("UPDATE marks SET name = 'N' WHERE id = 'm1'")
    try yard.settle()
    #expect(try marks(yard.anna) == ["m1 N 'deep' dim", "m2 - 'deep' dim"])
    try yard.update(to: .widened())
    #expect(try marks(yard.ben) == marks(yard.anna))
    #expect(try yard.ben.isSettled() && yard.wrongRows(of: yard.ben) == [])
    try yard.settle()
  }

  @Test func `An edit of a value that is not shown arrives`() throws {
    try yard.anna.run("UPDATE marks SET depth = 'deep', state = 'dim'")
    try yard.settle()
    try yard.ben.run("UPDATE marks SET depth = 7, state = 'out' WHERE id = 'm1'")
    try yard.settle()
    #expect(try marks(yard.anna) == ["m1 North 7 out", "m2 South 'deep' dim"])
    #expect(try marks(yard.ben) == ["m1 North 7 out", "m2 South 3 lit"])
  }

  @Test func `A pending edit is shown after the update`() throws {
    try yard.anna.run("UPDATE marks SET depth = 'deep' WHERE id = 'm1'")
    try yard.settle()
    try yard.ben.run("UPDATE marks SET depth = 7 WHERE id = 'm1'")
    try yard.update(to: .widened())
    #expect(try marks(yard.ben)[0] == "m1 North 7 lit")
    #expect(try yard.ben.device.cancel("marks", "m1", by: yard.ben))
    #expect(try marks(yard.ben)[0] == "m1 North 'deep' lit")
    try yard.settle()
  }
}
