import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Large new scopes, whose rows are shown as they arrive.
struct ArrivingScopeTests: ArrivingHarbour {
  let harbour: Harbour

  init() throws {
    harbour = try Self.makeHarbour()
    try begin(ben)
  }

  // MARK: - Rows

  @Test func `The rows are shown page by page, and count as arrived with the last one`() throws {
    let counts =
      try [count(ben)]
      + finish(ben) {
        let isArrived = try hasArrived(ben)
        #expect(!isArrived)
      }
    #expect(counts.count > 5 && counts.last == 101)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { 0...30 ~= $1 - $0 })
    #expect(try ben.device.texts("SELECT scope FROM _cursor WHERE repairs > 0").isEmpty)
    try expectAlike()
  }

  @Test func `Changes of another scope are shown meanwhile`() throws {
    try anna.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
    try anna.push()
    try ben.pull()
    #expect(try ben.titles()["t1"] == "Ropes" && count(ben) < 101)
    try expectAlike()
  }

  @Test func `A change that comes with the role in a new scope is shown at once`() throws {
    let harbour = try Self.makeHarbour()
    let (dan, eve) = (harbour.ships[0], harbour.ships[1])
    try dan.run("UPDATE tasks SET title = 'Ropes' WHERE id = 't1'")
    try dan.push()
    try eve.pull()
    #expect(try eve.titles()["t1"] == "Ropes" && count(eve) == 0)
    try harbour.settle()
    #expect(try eve.content() == dan.content() && eve.isSettled())
  }

  @Test func `Of several large scopes, few rows are inserted at a time`() throws {
    try fill("c3", 300...399)
    try fill("c4", 400...499)
    let cat = try harbour.add(3)
    for charter in ["c2", "c3", "c4"] { try harbour.grant(.viewer, to: cat, charter) }
    let counts = try counts(cat)
    #expect(counts.last == 302)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { 0...40 ~= $1 - $0 })
    #expect(try cat.content() == anna.content() && cat.isSettled())
    #expect(try cat.device.texts("SELECT scope FROM _cursor WHERE repairs > 0").isEmpty)
  }

  @Test func `A scope of wide rows is large, though its pages have few`() throws {
    try fill("c3", 300...339, title: String(repeating: "Oars", count: 500))
    harbour.pull = PullRules(.none, byteLimit: 5_000)
    let cat = try harbour.add(3)
    try harbour.grant(.viewer, to: cat, "c3")
    let counts = try counts(cat)
    #expect(counts.last == 41)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { 0...10 ~= $1 - $0 })
    #expect(try cat.isSettled())
  }

  @Test func `Few rows are inserted at a time if each takes several statements`() throws {
    let harbour = try Harbour(granting: [], largeScopeRows: 1_100)
    try fill("c3", 1_000...2_199, in: harbour)
    let eve = harbour.ships[1]
    try harbour.grant(.viewer, to: eve, "c3")
    let counts = try counts(eve, limit: 5_000)
    #expect(counts.last == 1_200)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { 0...700 ~= $1 - $0 })
    #expect(try eve.content() == harbour.ships[0].content() && eve.isSettled())
  }

  @Test func `A scope with as many rows as are applied together takes one page`() throws {
    try fill("c3", 300...311)
    let cat = try harbour.add(3)
    try harbour.grant(.viewer, to: cat, "c3")
    #expect(try !cat.pull(limit: 1_000).isComplete)
    #expect(try cat.pull(limit: 1_000).isComplete)
    #expect(try cat.titles().count == 13 && cat.isSettled())
  }

  @Test func `A scope of two pages is shown as a whole`() throws {
    for ship in harbour.ships { try harbour.grant(.editor, to: ship, "c3") }
    try anna.pullAll()
    try anna.run(
      "INSERT INTO charters VALUES ('c3', 'Cora')",
      """
      WITH RECURSIVE c(n) AS (SELECT 300 UNION ALL SELECT n + 1 FROM c WHERE n < 311)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c3', 'Oars', 0 FROM c
      """)
    while try anna.push()?.hasMore == true {}
    let small: SQL = "SELECT count(*) FROM tasks WHERE charterID = 'c3'"
    _ = try finish(ben) {
      let number = try ben.device.number(small)
      #expect([0, 12].contains(number))
    }
    #expect(try ben.device.number(small) == 12)
    try expectAlike()
  }

  // MARK: - Changes meanwhile

  @Test func `Edits of rows that have arrived stay and are sent, and others arrive`() throws {
    try ben.run("UPDATE tasks SET title = 'Mine', votes = votes + 1 WHERE id = 't100'")
    try anna.run(
      "UPDATE tasks SET title = 'Theirs', votes = votes + 2 WHERE id IN ('t101', 't199')",
      "DELETE FROM tasks WHERE id IN ('t102', 't198')", Task.insertion("t999", "New"))
    while try anna.push()?.hasMore == true {}
    _ = try finish(ben) {
      let shown = try ben.device.number(
        "SELECT count(*) FROM tasks WHERE id = 't100' AND title = 'Mine' AND votes = 1")
      #expect(shown == 1)
      try ben.push()
    }
    try expectAlike()
    let titles = try anna.titles()
    #expect(titles["t100"] == "Mine" && titles["t101"] == "Theirs" && titles["t102"] == nil)
    #expect(try harbour.ships.allSatisfy { try $0.dead().isEmpty })
  }

  @Test func `Rows that move into the scope or out of it are never missing`() throws {
    try anna.run(
      "UPDATE tasks SET charterID = 'c2' WHERE id = 't1'",
      "UPDATE tasks SET charterID = 'c1' WHERE id IN ('t100', 't199')")
    while try anna.push()?.hasMore == true {}
    _ = try finish(ben) {
      let titles = try ben.titles()
      #expect(titles["t1"] == "Sails" && titles["t100"] == "Lines")
    }
    try expectAlike()
  }

  // MARK: - Interruptions

  @Test func `A device that is opened again continues`() throws {
    let shown = try count(ben)
    let inspection = try ben.device.connection.read {
      try DeviceInspection($0, showsValues: false).text()
    }
    #expect(inspection.contains("charter/c2, editor, arriving, "))
    try ben.device.reopen()
    #expect(try count(ben) == shown && !hasArrived(ben))
    let counts = try finish(ben)
    #expect(counts.allSatisfy { $0 >= shown } && counts.count > 5)
    try expectAlike()
  }

  @Test func `The part of a scope is removed when access ends, and returns with it`() throws {
    try harbour.grant(.revoked, to: ben, "c2")
    try ben.pullAll()
    #expect(try count(ben) == 0 && ben.isSettled())
    #expect(try ben.device.number("SELECT count(*) FROM _row WHERE scope = 'charter/c2'") == 0)
    try harbour.grant(.editor, to: ben, "c2")
    try begin(ben)
    try expectAlike()
  }

  @Test func `The part of a scope stays until it is fetched again after a collection`() throws {
    let shown = try count(ben)
    try anna.run("DELETE FROM tasks WHERE id = 't101'")
    try anna.push()
    try harbour.collect("c2")
    let counts = try finish(ben) {
      let (number, isArrived) = (try count(ben), try hasArrived(ben))
      #expect(number == shown && !isArrived)
    }
    #expect(counts.last == 100)
    try expectAlike()
  }

  @Test func `Rows of the part that a restored server lacks come back`() throws {
    let backup = harbour.server
    try anna.run("UPDATE tasks SET title = 'Later' WHERE id = 't120'")
    try anna.push()
    try ben.pull()
    #expect(try ben.titles()["t120"] == "Later" && !hasArrived(ben))
    harbour.server = backup
    try harbour.server.beginEpoch(2)
    _ = try finish(ben)
    #expect(try ben.dead() == ["tasks/t120 lostByRestore"])
    try expectAlike()
    #expect(try ben.titles()["t120"] == "Later" && ben.dead().isEmpty)
  }

  @Test func `Rows of the part that a server lacks come back, though it has no new epoch`() throws {
    // The server can continue only from the last deletion.
    try anna.run("DELETE FROM tasks WHERE id = 't199'")
    try anna.push()
    try harbour.collect("c2")
    let cat = try harbour.add(3)
    try harbour.grant(.editor, to: cat, "c2")
    let backup = harbour.server
    try anna.run("UPDATE tasks SET title = 'Later' WHERE id = 't105'")
    try anna.push()
    try anna.pullAll()
    try begin(cat)
    #expect(try cat.titles()["t105"] == "Later")
    harbour.server = backup
    _ = try finish(cat)
    #expect(try cat.dead() == ["tasks/t105 lostByRestore"])
    try harbour.settle()
    #expect(try cat.titles()["t105"] == "Later" && cat.dead().isEmpty)
    #expect(try cat.content() == anna.content())
  }

  @Test func `The part of a scope that the account leaves stays, and is completed if it returns`()
    throws
  {
    let shown = try count(ben)
    try harbour.grant(.left, to: ben, "c2")
    try ben.pullAll()
    #expect(try count(ben) == shown)
    try anna.run("DELETE FROM tasks WHERE id IN ('t101', 't199')")
    try anna.push()
    try harbour.grant(.editor, to: ben, "c2")
    try expectAlike()
  }
}
