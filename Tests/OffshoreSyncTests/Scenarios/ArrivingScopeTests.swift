import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Large new scopes, whose rows are shown as they arrive.
struct ArrivingScopeTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  /// Two devices have the charter c1 with a task. The first one has c2 with 101 tasks, and of that the
  /// second one shows a part.
  init() throws {
    harbour = try Harbour(largeScopeRows: 20)
    try harbour.grant(.editor, to: harbour.ships[0], "c2")
    try harbour.ships[0].pullAll()
    try harbour.ships[0].run(
      "INSERT INTO charters VALUES ('c1', 'Alma'), ('c2', 'Bora')",
      Task.insertion("t1", "Sails"),
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
      INSERT INTO tasks (id, charterID, title, votes) SELECT 't' || n, 'c2', 'Lines', 0 FROM c
      """)
    try harbour.settle()
    try harbour.grant(.editor, to: harbour.ships[1], "c2")
    try begin(harbour.ships[1])
  }

  // MARK: - Steps

  private func count(_ ship: Ship) throws -> Int {
    try ship.device.number("SELECT count(*) FROM tasks WHERE charterID = 'c2'")
  }

  private func hasArrived(_ ship: Ship) throws -> Bool {
    let scope = try ScopeID(kind: "charter", value: "c2")
    return try ship.device.connection.read { reader in
      let hasArrived = try ship.replica.hasArrived(scope, reader)
      #expect(try ship.replica.status(reader).scopes[scope]?.hasArrived == hasArrived)
      return hasArrived
    }
  }

  /// Pulls until some of the tasks are shown.
  private func begin(_ ship: Ship) throws {
    for _ in 0..<50 where try count(ship) == 0 { try ship.pull() }
    let shown = try count(ship)
    #expect(0 < shown && shown < 50)
    #expect(try !hasArrived(ship))
  }

  /// Pulls until everything is applied.
  /// - Parameter check: verifies the device after each pull but the last.
  /// - Returns: the number of tasks after each pull.
  private func finish(_ ship: Ship, check: () throws -> Void = {}) throws -> [Int] {
    var counts: [Int] = []
    for _ in 0..<100 {
      let isComplete = try ship.pull().isComplete
      counts.append(try count(ship))
      if isComplete { break }
      try check()
    }
    return counts
  }

  private func expectAlike(_ location: SourceLocation = #_sourceLocation) throws {
    try harbour.settle()
    #expect(try ben.content() == anna.content(), sourceLocation: location)
    #expect(try ben.isSettled() && hasArrived(ben), sourceLocation: location)
    let digests = try ben.device.connection.write { try ben.replica.digests($0) }
    for charter in ["c1", "c2"] {
      let scope = try ScopeID(kind: "charter", value: charter)
      #expect(digests[scope] == harbour.server.scope(scope).digest, sourceLocation: location)
    }
  }

  // MARK: - Rows

  @Test func `The rows are shown page by page, and count as arrived with the last one`() throws {
    let counts = try [count(ben)] + finish(ben) {
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

  @Test func `Rows that refer to later ones are inserted in parts, too`() throws {
    let tables = [Leg.creation, Stop.creation, Crew.creation]
    let harbour = try Harbour(schema: .voyages(), creating: tables, largeScopeRows: 20)
    let (dan, eve) = (harbour.ships[0], harbour.ships[1])
    try dan.pullAll()
    try dan.run(
      """
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5)
      INSERT INTO legs SELECT 'l' || n, 'c1', 'Out' FROM c
      """,
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
      INSERT INTO crew SELECT 'k' || n, 'l' || (n % 5 + 1), 'p' || n, 'cook', 'c1' FROM c
      """)
    while try dan.push()?.hasMore == true {}
    var counts: [Int] = []
    for _ in 0..<200 {
      let report = try eve.pull()
      counts.append(try eve.device.number("SELECT count(*) FROM crew"))
      if report.isComplete { break }
    }
    #expect(counts.last == 101)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { 0...30 ~= $1 - $0 })
    #expect(try eve.isSettled())
    let scope = try ScopeID(kind: "charter", value: "c1")
    let digests = try eve.device.connection.write { try eve.replica.digests($0) }
    #expect(digests[scope] == harbour.server.scope(scope).digest)
  }

  @Test func `A scope of an app with deferred references is shown as a whole`() throws {
    let deferred: SQL = """
      CREATE TABLE stops (
        id TEXT PRIMARY KEY NOT NULL,
        legID TEXT REFERENCES legs ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
        place TEXT NOT NULL, charterID TEXT NOT NULL)
      """
    let harbour = try Harbour(
      schema: .voyages(), creating: [Leg.creation, deferred, Crew.creation], largeScopeRows: 20)
    let (dan, eve) = (harbour.ships[0], harbour.ships[1])
    try dan.pullAll()
    try dan.run(
      """
      WITH RECURSIVE c(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
      INSERT INTO legs SELECT 'l' || n, 'c1', 'Out' FROM c
      """)
    while try dan.push()?.hasMore == true {}
    for _ in 0..<100 where try !eve.pull().isComplete {
      #expect(try eve.device.number("SELECT count(*) FROM legs") == 0)
    }
    #expect(try eve.device.number("SELECT count(*) FROM legs") == 101)
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
