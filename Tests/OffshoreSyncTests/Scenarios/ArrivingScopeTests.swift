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

  /// Creates a charter with some tasks, on the server and on the first device.
  private func fill(
    _ charter: String, _ numbers: ClosedRange<Int>, title: String = "Oars",
    in harbour: Harbour? = nil
  ) throws {
    let harbour = harbour ?? self.harbour
    let ship = harbour.ships[0]
    try harbour.grant(.editor, to: ship, charter)
    try ship.pullAll()
    try ship.run(
      "INSERT INTO charters VALUES (\(charter), 'Cora')",
      """
      WITH RECURSIVE c(n) AS (
        SELECT \(numbers.lowerBound) UNION ALL SELECT n + 1 FROM c WHERE n < \(numbers.upperBound))
      INSERT INTO tasks (id, charterID, title, votes)
      SELECT 't' || n, \(charter), \(title), 0 FROM c
      """)
    while try ship.push()?.hasMore == true {}
  }

  /// Pulls until everything is applied.
  /// - Returns: the number of rows before and after each pull.
  private func counts(
    _ ship: Ship, _ query: SQL = "SELECT count(*) FROM tasks", limit: Int = 10
  ) throws -> [Int] {
    var counts = [0]
    for _ in 0..<200 {
      let isComplete = try ship.pull(limit: limit).isComplete
      counts.append(try ship.device.number(query))
      if isComplete { break }
    }
    return counts
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

  @Test func `A long chain of rows takes few requests`() throws {
    let harbour = try Harbour(
      schema: .links(), creating: [ChainLink.creation], largeScopeRows: 20)
    let (dan, eve) = (harbour.ships[0], harbour.ships[1])
    try dan.pullAll()
    try dan.run("INSERT INTO links VALUES ('k200', 'c1', NULL)")
    for number in (100...199).reversed() {
      try dan.run("INSERT INTO links VALUES (\("k\(number)"), 'c1', \("k\(number + 1)"))")
    }
    while try dan.push()?.hasMore == true {}
    let counts = try counts(eve, "SELECT count(*) FROM links")
    #expect(counts.last == 101 && counts.count < 30)
    #expect(try eve.isSettled())
    #expect(try eve.device.number("SELECT count(*) FROM links WHERE nextID IS NULL") == 1)
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

  @Test func `A table whose SQL only mentions deferred things prevents nothing`() throws {
    let harbour = try Harbour(
      granting: [],
      creating: [
        Charter.creation, Task.creation,
        "CREATE TABLE reminders (id TEXT PRIMARY KEY NOT NULL, deferredUntil TEXT)",
      ], largeScopeRows: 20)
    try fill("c3", 300...399, in: harbour)
    let eve = harbour.ships[1]
    try harbour.grant(.viewer, to: eve, "c3")
    let counts = try counts(eve)
    #expect(counts.contains { 0 < $0 && $0 < 50 })
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

/// A row that refers to the next one.
struct ChainLink: Record {
  let id: String
  var charterID: String
  var nextID: String?

  static let table = Table(
    "links", ChainLink.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("nextID", \.nextID).references("links", onDelete: .setNull))

  static let creation: SQL = """
    CREATE TABLE links (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL,
      nextID TEXT REFERENCES links ON DELETE SET NULL)
    """
}

extension SyncSchema {
  /// Returns a schema with chains of rows.
  static func links() throws -> SyncSchema {
    try SyncSchema(version: 1, SyncTable(ChainLink.self, scope: .kind("charter", \.charterID)))
  }
}
