import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Columns that replace retired ones, with derived values.
struct DerivedColumnTests {
  private let yard: Shipyard

  init() throws { yard = try Self.yard(isTwoWay: true) }

  private static func yard(isTwoWay: Bool) throws -> Shipyard {
    let yard = try Shipyard(.timed(isTwoWay: isTwoWay), .first())
    try yard.ben.run("INSERT INTO berths VALUES ('b1', 'c1', 'North', 1.5)")
    try yard.anna.run("INSERT INTO berths VALUES ('b2', 'c1', 'South', 120)")
    try yard.settle()
    return yard
  }

  private func minutes(_ ship: Ship) throws -> [String] {
    try ship.device.texts("SELECT id || ' ' || ifnull(minutes, '-') FROM berths ORDER BY id")
  }

  private func hours(_ ship: Ship) throws -> [String] {
    try ship.device.texts("SELECT id || ' ' || ifnull(hours, '-') FROM berths ORDER BY id")
  }

  @Test func `Both releases see the changes of each other`() throws {
    #expect(try minutes(yard.anna) == ["b1 90", "b2 120"])
    #expect(try hours(yard.ben) == ["b1 1.5", "b2 2.0"])
    try yard.ben.run("UPDATE berths SET hours = 3")
    try yard.settle()
    #expect(try minutes(yard.anna) == ["b1 180", "b2 180"])
    try yard.anna.run("UPDATE berths SET minutes = 30 WHERE id = 'b1'")
    try yard.settle()
    #expect(try hours(yard.ben) == ["b1 0.5", "b2 3.0"])
    #expect(try minutes(yard.anna) == ["b1 30", "b2 180"])
    try yard.ben.run("UPDATE berths SET hours = NULL WHERE id = 'b1'")
    try yard.settle()
    #expect(try minutes(yard.anna) == ["b1 -", "b2 180"])
  }

  @Test func `An edit after one of the other release is no conflict`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3")
    try yard.settle()
    try yard.anna.run("UPDATE berths SET minutes = 30")
    try yard.settle()
    let scope = try ScopeID(kind: "charter", value: "c1")
    let conflicts = try yard.anna.device.connection.read {
      try yard.anna.replica.conflicts(in: scope, $0)
    }
    #expect(conflicts == [])
  }

  @Test func `Of concurrent changes the later one is shown by both releases`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    yard.harbour.now += 1_000
    try yard.anna.run("UPDATE berths SET minutes = 30 WHERE id = 'b1'")
    try yard.settle()
    #expect(try minutes(yard.anna)[0] == "b1 30" && hours(yard.ben)[0] == "b1 0.5")
    try yard.anna.run("UPDATE berths SET minutes = 60 WHERE id = 'b1'")
    yard.harbour.now += 1_000
    try yard.ben.run("UPDATE berths SET hours = 4 WHERE id = 'b1'")
    try yard.settle()
    #expect(try minutes(yard.anna)[0] == "b1 240" && hours(yard.ben)[0] == "b1 4.0")
  }

  @Test func `A captured change of the former column becomes one of the new column`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    try yard.update(to: .timed())
    #expect(try minutes(yard.ben)[0] == "b1 180")
    try yard.settle()
    #expect(try minutes(yard.anna) == ["b1 180", "b2 120"])
    #expect(try minutes(yard.ben) == minutes(yard.anna))
  }

  @Test func `Cancelling it restores the derived value`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    try yard.ben.run("DELETE FROM berths WHERE id = 'b2'")
    try yard.update(to: .timed())
    for id in ["b1", "b2"] {
      #expect(try yard.ben.device.cancel("berths", id, by: yard.ben))
    }
    #expect(try minutes(yard.ben) == ["b1 90", "b2 120"])
    #expect(try yard.ben.nextPush() == nil)
  }

  @Test func `A sealed change of the former column arrives`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    try yard.ben.push(losingAnswer: true)
    try yard.update(to: .timed())
    try yard.ben.run("UPDATE berths SET name = 'N' WHERE id = 'b1'")
    try yard.settle()
    #expect(try minutes(yard.anna)[0] == "b1 180")
    #expect(try minutes(yard.ben) == minutes(yard.anna))
  }

  @Test func `A refused change of the former column is made again`() throws {
    try yard.ben.run("UPDATE berths SET hours = 3 WHERE id = 'b1'")
    _ = try yard.ben.nextPush()
    try yard.harbour.grant(.viewer, to: yard.ben, "c1")
    try yard.harbour.settle()
    try yard.harbour.grant(.editor, to: yard.ben, "c1")
    try yard.update(to: .timed())
    try yard.harbour.settle()
    #expect(try minutes(yard.ben)[0] == "b1 90")
    try yard.ben.device.connection.write { writer in
      let letter = try #require(try yard.ben.replica.deadLetters(writer).first)
      #expect(try yard.ben.replica.retry(letter.id, writer))
    }
    try yard.settle()
    #expect(try minutes(yard.anna)[0] == "b1 180")
  }

  @Test func `Without a way back devices of the former release keep their values`() throws {
    let yard = try Self.yard(isTwoWay: false)
    #expect(try hours(yard.ben) == ["b1 1.5", "b2 -"])
    try yard.anna.run("UPDATE berths SET minutes = 30 WHERE id = 'b1'")
    try yard.settle()
    #expect(try hours(yard.ben)[0] == "b1 1.5" && minutes(yard.anna)[0] == "b1 30")
    try yard.ben.run("UPDATE berths SET hours = 2 WHERE id = 'b1'")
    try yard.settle()
    #expect(try minutes(yard.anna)[0] == "b1 120")
  }
}
