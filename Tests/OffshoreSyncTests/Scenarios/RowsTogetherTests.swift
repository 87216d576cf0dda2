import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// Rows that refer to each other, rows that two devices create, and differing rows.
struct RowsTogetherTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try .withLeg()
  }

  private func content(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      """
      SELECT 'leg ' || id || ' ' || name FROM legs
      UNION ALL SELECT 'stop ' || id || ' ' || ifnull(legID, '-') || ' ' || place FROM stops
      UNION ALL SELECT 'crew ' || id || ' ' || legID || ' ' || person || ' ' || role FROM crew
      ORDER BY 1
      """)
  }

  private func expectAlike(_ expected: [String]) throws {
    try harbour.settle()
    #expect(try content(anna) == expected)
    #expect(try content(ben) == expected)
    #expect(try anna.isSettled() && ben.isSettled())
  }

  /// Returns a query of the numbers from 1 to a count.
  private static func numbers(_ count: Int) -> SQL {
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(count)) SELECT n FROM c"
  }

  // MARK: - Parents and children

  @Test func `A child that arrives after its parent's deletion is refused`() throws {
    try anna.run("DELETE FROM legs")
    try ben.run("INSERT INTO crew VALUES ('k1', 'l1', 'Ben', 'cook', 'c1')")
    try anna.push()
    try expectAlike([])
    #expect(try ben.dead() == ["crew/k1 dependency"])
  }

  @Test func `A child that arrives before its parent's deletion is deleted with it`() throws {
    try ben.run("INSERT INTO crew VALUES ('k1', 'l1', 'Ben', 'cook', 'c1')")
    try anna.run("DELETE FROM legs")
    try ben.push()
    try expectAlike([])
    #expect(try ben.dead() == [])
  }

  @Test func `A child with an optional parent stays after its parent's deletion`() throws {
    try ben.run("INSERT INTO stops VALUES ('s1', 'l1', 'Vis', 'c1')")
    try anna.run("DELETE FROM legs")
    try ben.push()
    try expectAlike(["stop s1 - Vis"])
  }

  @Test func `A pending child of a deleted row is removed until its push is answered`() throws {
    try anna.run("DELETE FROM legs")
    try anna.push()
    try ben.run("INSERT INTO crew VALUES ('k1', 'l1', 'Ben', 'cook', 'c1')")
    try ben.pullAll()
    #expect(try content(ben) == [])
    #expect(try ben.dead() == ["crew/k1 collision"])
    try expectAlike([])
    #expect(try ben.dead() == ["crew/k1 dependency"])
  }

  // MARK: - Derived ids

  @Test func `Two devices that create the same derived row have one, with both edits`() throws {
    try anna.run("INSERT INTO crew VALUES ('l1-Ida', 'l1', 'Ida', 'cook', 'c1')")
    harbour.now += 1000
    try ben.run("INSERT INTO crew VALUES ('l1-Ida', 'l1', 'Ida', 'mate', 'c1')")
    try anna.push()
    try expectAlike(["crew l1-Ida l1 Ida mate", "leg l1 Out"])
  }

  @Test func `A pending row gives way to another with its unique values`() throws {
    try anna.run("INSERT INTO crew VALUES ('k1', 'l1', 'Ida', 'cook', 'c1')")
    try anna.push()
    try ben.run("INSERT INTO crew VALUES ('k2', 'l1', 'Ida', 'mate', 'c1')")
    try ben.pullAll()
    #expect(try content(ben) == ["crew k1 l1 Ida cook", "leg l1 Out"])
    #expect(try ben.dead() == ["crew/k2 collision"])
  }

  // MARK: - Repair

  @Test func `Rows that differ from the server's are detected and fetched again`() throws {
    try anna.run(
      "INSERT INTO stops SELECT 's' || n, NULL, 'Vis', 'c1' FROM (\(Self.numbers(50)))")
    try harbour.settle()
    try ben.run(
      "UPDATE _state SET applying = 1", "DELETE FROM stops WHERE id = 's7'",
      "DELETE FROM _row WHERE id = 's7'",
      "UPDATE _cursor SET digest = 1",
      "UPDATE _state SET applying = 0")
    try anna.run("UPDATE stops SET place = 'Hvar' WHERE id = 's8'")
    try harbour.settle()
    #expect(try content(ben) == content(anna))
    #expect(try ben.device.number("SELECT repairs FROM _cursor") == 1)
    #expect(try ben.device.number("SELECT doubt FROM _cursor") == 0)
  }
}
