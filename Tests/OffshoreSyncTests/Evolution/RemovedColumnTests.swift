import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Columns and tables that a release has dropped.
struct RemovedColumnTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.fourth(), .second())
    try yard.anna.run(
      """
      INSERT INTO berths (id, charterID, name, hours, note, depth)
      VALUES ('b1', 'c1', 'North', 1.5, 'deep', 7), ('b2', 'c2', 'South', 2.5, 'mud', 8)
      """,
      "INSERT INTO buoys VALUES ('y1', 'c1', 'b1', 'red')")
    try yard.settle()
    try yard.anna.run("UPDATE berths SET hours = 4 WHERE id = 'b1'")
    try yard.settle()
  }

  @Test func `A dropped column keeps its values on the server and other devices`() throws {
    try yard.update(to: .third())
    try yard.ben.run("UPDATE berths SET name = 'N', note = 'x'")
    try yard.settle()
    #expect(try yard.berths(yard.anna) == ["b1 N 4.0 x 7 -", "b2 N 2.5 x 8 -"])
    #expect(try yard.berths(yard.ben) == ["b1 N x 7 -", "b2 N x 8 -"])
    #expect(try yard.buoys(yard.anna) == ["y1 red b1"])
  }

  @Test func `Values return as unknown ones with the next pull, and appear with their column`()
    throws
  {
    try yard.update(to: .third())
    try yard.settle()
    try yard.update(to: .fourth())
    #expect(try yard.berths(yard.ben) == ["b1 North 4.0 deep 7 -", "b2 South 2.5 mud 8 -"])
    #expect(try yard.buoys(yard.ben) == ["y1 red b1"])
    #expect(try yard.ben.isSettled())
    try yard.settle()
  }

  @Test func `A column that returns before any pull is fetched`() throws {
    try yard.update(to: .third())
    try yard.update(to: .fourth())
    #expect(try yard.berths(yard.ben)[0] == "b1 North - deep 7 -")
    try yard.settle()
    #expect(try yard.berths(yard.ben) == ["b1 North 4.0 deep 7 -", "b2 South 2.5 mud 8 -"])
    #expect(try yard.buoys(yard.ben) == ["y1 red b1"])
  }

  @Test func `A pending edit of a dropped column is not sent`() throws {
    try yard.ben.run("UPDATE berths SET hours = 9, name = 'N' WHERE id = 'b1'")
    try yard.update(to: .third())
    try yard.settle()
    #expect(try yard.berths(yard.anna)[0] == "b1 N 4.0 deep 7 -")
  }

  @Test func `A sealed edit of a dropped column is sent unchanged`() throws {
    try yard.ben.run("UPDATE berths SET hours = 9 WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.update(to: .third())
    try yard.settle()
    #expect(try yard.berths(yard.anna)[0] == "b1 North 9.0 deep 7 -")
    try yard.update(to: .fourth())
    #expect(try yard.berths(yard.ben)[0] == "b1 North 9.0 deep 7 -")
  }

  @Test func `Scopes that a member has left are not fetched`() throws {
    try yard.harbour.grant(.left, to: yard.ben, "c2")
    try yard.harbour.settle()
    try yard.update(to: .third())
    try yard.harbour.settle()
    #expect(try yard.berths(yard.ben) == ["b1 North deep 7 -", "b2 South mud 8 -"])
    #expect(try yard.ben.nextPull().cursors.map(\.scope.value) == ["c1"])
  }
}
