import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Columns that are merged by another policy since a release.
struct ChangedPolicyTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.greatest(), .first())
    try yard.anna.run("INSERT INTO berths VALUES ('b1', 'c1', 'North', 5)")
    try yard.settle()
  }

  @Test func `A device of a former release shows the value that the server has chosen`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3")
    #expect(try yard.berths(yard.ben) == ["b1 North 3.0"])
    try yard.settle()
    #expect(try yard.berths(yard.ben) == ["b1 North 5.0"])
    #expect(try yard.berths(yard.anna) == ["b1 North 5.0"])
    try yard.ben.run("UPDATE berths SET hours = 8")
    try yard.settle()
    #expect(try yard.berths(yard.anna) == ["b1 North 8.0"])
  }

  @Test func `Captured and sealed changes of the former release are merged by the new policy`()
    throws
  {
    try yard.ben.run("UPDATE berths SET hours = 7")
    _ = try yard.ben.nextPush()
    try yard.ben.run("UPDATE berths SET hours = 2")
    try yard.update(to: .greatest())
    try yard.settle()
    #expect(try yard.berths(yard.ben) == ["b1 North 7.0"])
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
  }
}
