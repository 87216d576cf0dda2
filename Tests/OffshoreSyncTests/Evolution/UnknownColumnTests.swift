import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Columns that a device does not have yet.
struct UnknownColumnTests {
  private let yard: Shipyard

  init() throws {
    yard = try Shipyard(.second(), .first())
    try yard.anna.run(
      "INSERT INTO berths VALUES ('b1', 'c1', 'North', 1.5, 'deep', 7, '{\"a\":1,\"b\":2}')")
    try yard.ben.run("INSERT INTO berths VALUES ('b2', 'c1', 'South', 2.5)")
    try yard.settle()
  }

  @Test func `Values of unknown columns survive the edits of a device`() throws {
    try yard.ben.run("UPDATE berths SET name = 'N', hours = NULL WHERE id = 'b1'")
    try yard.settle()
    #expect(try yard.berths(yard.anna)[0] == "b1 N - deep 7 {\"a\":1,\"b\":2}")
  }

  @Test func `An update moves stored values into their columns, without the network`() throws {
    try yard.update(to: .second())
    #expect(
      try yard.berths(yard.ben)
        == ["b1 North 1.5 deep 7 {\"a\":1,\"b\":2}", "b2 South 2.5 - 3 -"])
    #expect(try yard.ben.isSettled())
    #expect(try yard.wrongRows(of: yard.ben) == [])
    try yard.settle()
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
  }

  @Test func `Preparing the file again after an update has no effect`() throws {
    try yard.update(to: .second())
    try yard.ben.run("UPDATE berths SET note = 'x'")
    let before = try yard.berths(yard.ben)
    try yard.ben.device.install(try Release.second().schema)
    #expect(try yard.berths(yard.ben) == before)
  }

  @Test func `Added columns are edited like any others`() throws {
    try yard.update(to: .second())
    try yard.ben.run(
      "UPDATE berths SET depth = 9, note = 'new' WHERE id = 'b2'",
      "UPDATE berths SET items = '{\"a\":1,\"b\":3}', note = 'shallow' WHERE id = 'b1'")
    try yard.anna.run("UPDATE berths SET items = '{\"a\":4,\"b\":2}' WHERE id = 'b1'")
    try yard.settle()
    #expect(
      try yard.berths(yard.anna)
        == ["b1 North 1.5 shallow 7 {\"a\":4,\"b\":3}", "b2 South 2.5 new 9 -"])
    #expect(try yard.berths(yard.ben) == yard.berths(yard.anna))
  }

  @Test func `A column unknown to the row's author is sent whole when it is edited`() throws {
    try yard.ben.device.run("UPDATE berths SET hours = 3 WHERE id = 'b2'")
    try yard.update(to: .second())
    try yard.ben.device.run(
      "UPDATE _state SET applying = 1", "UPDATE berths SET items = '{\"a\":1}' WHERE id = 'b2'",
      "UPDATE _state SET applying = 0")
    try yard.ben.run("UPDATE berths SET items = '{\"a\":1,\"b\":2}' WHERE id = 'b2'")
    try yard.settle()
    #expect(try yard.berths(yard.anna)[1] == "b2 South 3.0 - 3 {\"a\":1,\"b\":2}")
  }

  @Test func `A sealed edit is shown instead of the pulled value`() throws {
    try yard.ben.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    try yard.ben.push(losingAnswer: true)
    try yard.anna.run("UPDATE berths SET note = 'muddy' WHERE id = 'b1'")
    try yard.anna.push()
    try yard.update(to: .second())
    #expect(try yard.berths(yard.ben)[0] == "b1 N 1.5 deep 7 {\"a\":1,\"b\":2}")
    try yard.settle()
    #expect(try yard.berths(yard.ben)[0] == "b1 N 1.5 muddy 7 {\"a\":1,\"b\":2}")
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
  }

  @Test func `A sealed edit and an unsealed one survive an update of the app`() throws {
    try yard.ben.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.ben.run("UPDATE berths SET name = 'NN' WHERE id = 'b1'")
    try yard.update(to: .second())
    #expect(try yard.berths(yard.ben)[0] == "b1 NN 1.5 deep 7 {\"a\":1,\"b\":2}")
    #expect(try yard.ben.device.cancel("berths", "b1", by: yard.ben))
    #expect(try yard.berths(yard.ben)[0] == "b1 N 1.5 deep 7 {\"a\":1,\"b\":2}")
    try yard.settle()
    #expect(try yard.berths(yard.anna)[0] == "b1 N 1.5 deep 7 {\"a\":1,\"b\":2}")
  }

  @Test func `A sealed edit that is refused after the update gives way to the confirmed value`()
    throws
  {
    try yard.ben.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.update(to: .second())
    try yard.harbour.grant(.viewer, to: yard.ben, "c1")
    try yard.harbour.settle()
    #expect(try yard.berths(yard.ben)[0] == "b1 North 1.5 deep 7 {\"a\":1,\"b\":2}")
    #expect(try yard.ben.dead() == ["berths/b1 forbidden"])
    #expect(try yard.wrongRows(of: yard.ben) == [])
  }

  @Test func `A row that is moving to another scope takes its unknown values along`() throws {
    try yard.ben.run("UPDATE berths SET charterID = 'c2' WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.update(to: .second())
    #expect(try yard.berths(yard.ben)[0] == "b1 North 1.5 deep 7 {\"a\":1,\"b\":2}")
    try yard.settle()
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
    #expect(try yard.serverFields("berths", "b1", in: "c2")["note"] == "deep")
  }

  @Test func `A row whose deletion is cancelled comes back with its unknown values`() throws {
    try yard.ben.run("DELETE FROM berths")
    try yard.update(to: .second())
    #expect(try yard.berths(yard.ben) == [])
    #expect(try yard.ben.device.cancel("berths", "b1", by: yard.ben))
    #expect(try yard.berths(yard.ben) == ["b1 North 1.5 deep 7 {\"a\":1,\"b\":2}"])
    #expect(try yard.ben.device.cancel("berths", "b2", by: yard.ben))
    #expect(try yard.wrongRows(of: yard.ben) == [])
    try yard.settle()
    #expect(try yard.berths(yard.anna) == yard.berths(yard.ben))
  }

  @Test func `A row that was deleted and inserted again has no former values`() throws {
    try yard.ben.run(
      "DELETE FROM berths WHERE id = 'b1'", "INSERT INTO berths VALUES ('b1', 'c1', 'New', NULL)")
    try yard.update(to: .second())
    #expect(try yard.berths(yard.ben)[0] == "b1 New - - 3 -")
    try yard.settle()
    #expect(try yard.berths(yard.anna)[0] == "b1 New - - 3 -")
  }

  @Test func `If two rows share an id, the shown one gets its own values only`() throws {
    try yard.anna.run(
      "INSERT INTO berths (id, charterID, name, note) VALUES ('b9', 'c2', 'Far', 'muddy')")
    try yard.ben.run("INSERT INTO berths VALUES ('b9', 'c1', 'Near', 1)")
    try yard.harbour.settle()
    try yard.update(to: .second())
    #expect(try yard.berths(yard.ben)[2] == "b9 Near 1.0 - 3 -")
    try yard.ben.run("DELETE FROM berths WHERE id = 'b9'")
    try yard.harbour.settle()
    #expect(try yard.berths(yard.ben)[2] == "b9 Far - muddy 3 -")
  }
}

extension TestDevice {
  /// Cancels changes with the schema of a ship that has been updated.
  func cancel(_ table: String, _ id: String, by ship: Ship) throws -> Bool {
    try connection.write { try ship.replica.outbox.cancel(RowID(table: table, id: id), $0) }
  }
}
