import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Rows of a release before a column, in releases whose defaults of the column differ.
struct ChangedDefaultTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.deepened(), .first())
    try yard.ben.run("INSERT INTO berths VALUES ('b1', 'c1', 'North', 1.5)")
    try yard.settle()
  }

  /// Updates Ben's device to the second release, and inserts a row there.
  private func updateToSecond() throws {
    try yard.update(to: .sounded())
    try yard.ben.run("INSERT INTO berths (id, charterID, name) VALUES ('b2', 'c1', 'South')")
    try yard.settle()
  }

  @Test func `A row without a value shows the default of the device's release`() throws {
    #expect(try yard.berths(yard.anna) == ["b1 North 1.5 5"])
    try updateToSecond()
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5 3", "b2 South - 3"])
    #expect(try yard.berths(yard.anna) == ["b1 North 1.5 5", "b2 South - 3"])
    try yard.update(to: .deepened())
    #expect(try yard.berths(yard.ben) == yard.berths(yard.anna))
    #expect(try yard.ben.isSettled() && yard.wrongRows(of: yard.ben) == [])
    try yard.settle()
    #expect(try yard.serverFields("berths", "b1")["depth"] == nil)
  }

  @Test func `An update past a release shows the last default`() throws {
    try yard.update(to: .deepened())
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5 5"])
    try yard.settle()
  }

  @Test func `A column that was local keeps the values of the device`() throws {
    try yard.update(to: .sounded(isLocal: true))
    try yard.ben.run("UPDATE berths SET depth = 9")
    try yard.update(to: .sounded())
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5 9"])
    try yard.settle()
  }

  @Test func `A value that was written stays, also if it equals the former default`() throws {
    try yard.anna.run("UPDATE berths SET depth = 3")
    try updateToSecond()
    try yard.update(to: .deepened())
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5 3", "b2 South - 3"])
    try yard.settle()
    #expect(try yard.berths(yard.ben) == yard.berths(yard.anna))
  }

  @Test func `A pending value stays, and cancelling it shows the default`() throws {
    try updateToSecond()
    try yard.ben.run("UPDATE berths SET depth = 9, name = 'N' WHERE id = 'b1'")
    try yard.update(to: .deepened())
    #expect(try yard.berths(yard.ben)[0] == "b1 N 1.5 9")
    #expect(try yard.ben.device.cancel("berths", "b1", by: yard.ben))
    #expect(try yard.berths(yard.ben)[0] == "b1 North 1.5 5")
    #expect(try yard.ben.nextPush() == nil)
  }

  @Test func `A sealed value is sent as it was written`() throws {
    try updateToSecond()
    try yard.ben.run("UPDATE berths SET depth = 9 WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.update(to: .deepened())
    #expect(try yard.berths(yard.ben)[0] == "b1 North 1.5 9")
    try yard.settle()
    #expect(try yard.berths(yard.anna)[0] == "b1 North 1.5 9")
  }

  @Test func `A row whose deletion is cancelled shows the default`() throws {
    try updateToSecond()
    try yard.ben.run("DELETE FROM berths WHERE id = 'b1'")
    try yard.update(to: .deepened())
    #expect(try yard.ben.device.cancel("berths", "b1", by: yard.ben))
    #expect(try yard.berths(yard.ben)[0] == "b1 North 1.5 5")
    try yard.settle()
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
  }

  @Test func `Rows of this device that are not sent yet have the values that they show`() throws {
    try yard.update(to: .sounded())
    try yard.ben.run("INSERT INTO berths (id, charterID, name) VALUES ('b2', 'c1', 'South')")
    try yard.update(to: .deepened())
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5 5", "b2 South - 3"])
    try yard.settle()
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
  }
}
