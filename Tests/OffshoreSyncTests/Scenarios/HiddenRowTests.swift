import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import Testing

/// Confirmed rows that violate a constraint of the app's tables, and are hidden until they fit.
struct HiddenRowTests {
  private let strict: StrictHarbour
  private var harbour: Harbour { strict.harbour }
  private var anna: Ship { strict.anna }
  private var ben: Ship { strict.ben }

  init() throws {
    strict = try StrictHarbour()
  }

  // MARK: - New rows

  @Test func `A new row with an occupied value appears when the other row is deleted`() throws {
    try strict.anna(writes: "INSERT INTO stops VALUES ('s3', 'l1', 'Vis', 'c1')")
    #expect(try strict.stops() == ["s1 Vis", "s2 Hvar"])
    try strict.expectConfirmed()
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's1'")
    #expect(try strict.stops() == ["s2 Hvar", "s3 Vis"])
    try strict.expectAlike()
  }

  @Test func `A new row with an occupied value appears when the other row has changed`() throws {
    try strict.anna(writes: "INSERT INTO stops VALUES ('s3', 'l1', 'Vis', 'c1')")
    try strict.anna(writes: "UPDATE stops SET place = 'Lastovo' WHERE id = 's1'")
    #expect(try strict.stops() == ["s1 Lastovo", "s2 Hvar", "s3 Vis"])
    try strict.expectAlike()
  }

  @Test func `A new row with an invalid value appears when that value has changed`() throws {
    try strict.anna(writes: "INSERT INTO stops VALUES ('s3', 'l1', 'Atlantis', 'c1')")
    #expect(try strict.stops() == ["s1 Vis", "s2 Hvar"])
    try strict.expectConfirmed()
    try strict.anna(writes: "UPDATE stops SET place = 'Lastovo' WHERE id = 's3'")
    #expect(try strict.stops() == ["s1 Vis", "s2 Hvar", "s3 Lastovo"])
    try strict.expectAlike()
  }

  // NB: It takes many minutes if each row that is hidden lets all others be tried again.
  @Test(.timeLimit(.minutes(1)))
  func `Many new and changed rows with invalid values are hidden in one pull`() throws {
    func stops(_ prefix: String, _ place: SQL) -> SQL {
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900)
      INSERT INTO stops SELECT \(prefix) || n, 'l1', \(place), 'c1' FROM numbers
      """
    }
    try strict.anna(writes: stops("t1-", "'Bay ' || n"))
    #expect(try strict.stops().count == 902)
    try strict.anna(
      writes: "UPDATE stops SET place = 'Atlantis' WHERE id LIKE 't%'", stops("t2-", "'Atlantis'"))
    #expect(try strict.stops() == ["s1 Vis", "s2 Hvar"])
    try strict.expectConfirmed()
    try strict.anna(writes: "UPDATE stops SET place = 'Bay ' || id WHERE id LIKE 't%'")
    #expect(try strict.stops().count == 1_802)
    try strict.expectAlike()
  }

  @Test func `A row hidden while it was pending appears when the other row is deleted`() throws {
    try anna.run("INSERT INTO crew VALUES ('k1', 'l1', 'Ida', 'cook', 'c1')")
    try anna.push()
    try ben.run("INSERT INTO crew VALUES ('k2', 'l1', 'Ida', 'mate', 'c1')")
    try ben.pullAll()
    try harbour.settle()
    #expect(try ben.device.texts("SELECT id FROM crew") == ["k1"])
    #expect(try ben.dead() == [])
    try strict.expectConfirmed()
    try strict.anna(writes: "DELETE FROM crew WHERE id = 'k1'")
    #expect(try ben.device.texts("SELECT role FROM crew WHERE id = 'k2'") == ["mate"])
    try strict.expectAlike()
  }

  // MARK: - Changed rows

  @Test func `A row with an occupied new value appears when the other row is deleted`() throws {
    try strict.anna(writes: "UPDATE stops SET place = 'Vis' WHERE id = 's2'")
    #expect(try strict.stops() == ["s1 Vis"])
    try strict.expectConfirmed()
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's1'")
    #expect(try strict.stops() == ["s2 Vis"])
    try strict.expectAlike()
  }

  @Test func `A row with an occupied new value appears when the other row has changed`() throws {
    try strict.anna(writes: "UPDATE stops SET place = 'Vis', legID = 'l1' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE stops SET place = 'Lastovo' WHERE id = 's1'")
    #expect(try strict.stops() == ["s1 Lastovo", "s2 Vis"])
    try strict.expectAlike()
  }

  @Test func `A row with an invalid new value does not appear with its old one`() throws {
    try strict.anna(writes: "UPDATE stops SET place = 'Atlantis' WHERE id = 's2'")
    for place in ["Lastovo", "Brač"] {
      try strict.anna(writes: "UPDATE stops SET place = \(place) WHERE id = 's1'")
      #expect(try strict.stops() == ["s1 \(place)"])
      try strict.expectConfirmed()
    }
    try strict.anna(writes: "UPDATE stops SET place = 'Korčula' WHERE id = 's2'")
    #expect(try strict.stops() == ["s1 Brač", "s2 Korčula"])
    try strict.expectAlike()
  }

  @Test func `Two rows that exchange their values both appear with them`() throws {
    try strict.anna(
      writes: "UPDATE stops SET place = iif(place = 'Vis', 'Hvar', 'Vis') WHERE charterID = 'c1'")
    #expect(try strict.stops() == ["s1 Hvar", "s2 Vis"])
    try strict.expectAlike()
  }

  @Test func `Three rows that rotate their values all appear with them`() throws {
    try strict.anna(writes: "INSERT INTO stops VALUES ('s3', NULL, 'Brač', 'c1')")
    try strict.anna(
      writes: """
        UPDATE stops SET place = CASE place
          WHEN 'Vis' THEN 'Hvar' WHEN 'Hvar' THEN 'Brač' ELSE 'Vis' END
        """)
    #expect(try strict.stops() == ["s1 Hvar", "s2 Brač", "s3 Vis"])
    try strict.expectAlike()
  }

  @Test func `Rows changed together appear if they fit, each with its own columns`() throws {
    try strict.anna(
      writes: "INSERT INTO legs VALUES ('l2', 'c1', 'Home')",
      """
      INSERT INTO stops VALUES ('s3', NULL, 'Brač', 'c1'), ('s4', NULL, 'Olib', 'c1'),
        ('s5', 'l1', 'Silba', 'c1'), ('s6', 'l1', 'Ist', 'c1')
      """)
    try strict.anna(
      writes: "UPDATE stops SET place = 'Šolta' WHERE id = 's2'",
      "UPDATE stops SET place = 'Atlantis' WHERE id = 's3'",
      "UPDATE stops SET place = 'Susak', legID = 'l2' WHERE id = 's4'",
      "UPDATE stops SET legID = NULL WHERE id = 's5'")
    #expect(
      try strict.content(ben).filter { $0.hasPrefix("stop") } == [
        "stop s1 c1 l1 Vis", "stop s2 c1 - Šolta", "stop s4 c1 l2 Susak", "stop s5 c1 - Silba",
        "stop s6 c1 l1 Ist",
      ])
    try strict.expectConfirmed()
    try strict.anna(writes: "UPDATE stops SET place = 'Vir' WHERE id = 's3'")
    try strict.expectAlike()
  }

  // MARK: - While hidden

  @Test func `A hidden row is unchanged after the file was closed`() throws {
    try strict.anna(
      writes: "INSERT INTO stops VALUES ('s3', 'l1', 'Vis', 'c1')",
      "UPDATE stops SET place = 'Atlantis', legID = 'l1' WHERE id = 's2'")
    try ben.device.reopen()
    try strict.anna(writes: "UPDATE legs SET name = 'Home'")
    #expect(try strict.stops() == ["s1 Vis"])
    try ben.device.reopen()
    try strict.expectConfirmed()
    try strict.anna(
      writes: "DELETE FROM stops WHERE id = 's1'",
      "UPDATE stops SET place = 'Brač' WHERE id = 's2'")
    #expect(try strict.stops() == ["s2 Brač", "s3 Vis"])
    try strict.expectAlike()
  }

  @Test func `A hidden row appears with its present values`() throws {
    try strict.anna(writes: "INSERT INTO stops VALUES ('s3', NULL, 'Vis', 'c1')")
    try strict.anna(writes: "UPDATE stops SET legID = 'l1' WHERE id = 's3'")
    #expect(try strict.stops() == ["s1 Vis", "s2 Hvar"])
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's1'")
    try strict.expectAlike()
  }

  @Test func `A hidden row that is deleted leaves no data behind`() throws {
    try strict.anna(writes: "UPDATE stops SET place = 'Atlantis' WHERE id = 's2'")
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's2'")
    #expect(try strict.stops() == ["s1 Vis"])
    try strict.expectAlike()
  }

  @Test func `A hidden row that moves appears in its new scope`() throws {
    try strict.anna(writes: "UPDATE stops SET place = 'Vis' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE stops SET charterID = 'c2' WHERE id = 's2'")
    #expect(try strict.stops() == ["s1 Vis"])
    try strict.expectConfirmed()
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's1'")
    #expect(try strict.stops() == ["s2 Vis"])
    try strict.expectAlike()
  }

  @Test func `A hidden row is removed with its scope, and comes back with it`() throws {
    try strict.anna(writes: "UPDATE stops SET place = 'Atlantis' WHERE id = 's2'")
    try harbour.grant(.revoked, to: ben, "c1")
    try ben.pullAll()
    #expect(try strict.stops() == [])
    #expect(try ben.device.number("SELECT count(*) FROM _row") == 0)
    #expect(try ben.isSettled())
    try harbour.grant(.editor, to: ben, "c1")
    try strict.anna(writes: "UPDATE stops SET place = 'Brač' WHERE id = 's2'")
    try strict.expectAlike()
  }

  @Test func `A hidden row has its confirmed values, without pending changes`() throws {
    try ben.run("UPDATE stops SET legID = 'l1' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE stops SET place = 'Vis' WHERE id = 's2'")
    #expect(try strict.stops() == ["s1 Vis"])
    #expect(try ben.dead() == ["stops/s2 collision"])
    try strict.expectConfirmed()
    try harbour.grant(.viewer, to: ben, "c1")
    try harbour.settle()
    try strict.expectConfirmed()
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's1'")
    #expect(try strict.content(ben) == ["leg l1 c1 Out", "stop s2 c1 - Vis"])
    try strict.expectAlike()
  }

  @Test func `A hidden row appears with its pending change over the confirmed values`() throws {
    try ben.run("UPDATE stops SET legID = 'l1' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE stops SET place = 'Vis' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE stops SET place = 'Brač' WHERE id = 's2'")
    #expect(try strict.content(ben).last == "stop s2 c1 l1 Brač")
    #expect(try ben.dead() == [])
    try strict.expectConfirmed()
    try strict.expectAlike()
  }

  // MARK: - Referring rows

  @Test func `Rows that refer to a hidden row are hidden too, and come back unchanged`() throws {
    try strict.anna(
      writes: "INSERT INTO legs VALUES ('l2', 'c1', 'Home')",
      "INSERT INTO crew VALUES ('k1', 'l2', 'Ida', 'cook', 'c1')",
      "UPDATE stops SET legID = 'l2' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE legs SET name = 'Out' WHERE id = 'l2'")
    #expect(try strict.content(ben) == ["leg l1 c1 Out", "stop s1 c1 l1 Vis"])
    try strict.expectConfirmed()
    try strict.anna(writes: "UPDATE crew SET role = 'mate'")
    try strict.anna(writes: "UPDATE stops SET place = 'Vis' WHERE id = 's2'")
    #expect(try strict.content(ben) == ["leg l1 c1 Out", "stop s1 c1 l1 Vis"])
    try strict.expectConfirmed()
    try strict.anna(
      writes: "UPDATE legs SET name = 'North' WHERE id = 'l1'",
      "UPDATE stops SET place = 'Brač' WHERE id = 's1'")
    try strict.expectAlike()
  }

  @Test func `Children of a hidden row appear when it is deleted, if they do not need it`() throws {
    try strict.anna(
      writes: "INSERT INTO legs VALUES ('l2', 'c1', 'Home')",
      "UPDATE stops SET legID = 'l2' WHERE id = 's2'")
    try strict.anna(writes: "UPDATE legs SET name = 'Out' WHERE id = 'l2'")
    try strict.anna(writes: "DELETE FROM legs WHERE id = 'l2'")
    #expect(try strict.content(ben).last == "stop s2 c1 - Hvar")
    try strict.expectAlike()
  }

  @Test func `A hidden row is removed with its old parent, and comes back`() throws {
    try strict.anna(
      writes: "INSERT INTO legs VALUES ('l2', 'c1', 'Home')",
      "UPDATE stops SET legID = 'l2' WHERE id = 's2'")
    try strict.anna(
      writes: "UPDATE stops SET legID = 'l1', place = 'Vis' WHERE id = 's2'",
      "DELETE FROM legs WHERE id = 'l2'")
    #expect(try strict.content(ben) == ["leg l1 c1 Out", "stop s1 c1 l1 Vis"])
    try strict.expectConfirmed()
    try strict.anna(writes: "DELETE FROM stops WHERE id = 's1'")
    #expect(try strict.stops() == ["s2 Vis"])
    try strict.expectAlike()
  }
}
