import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// Rows of large new scopes that refer to each other, and are shown as they arrive.
struct ArrivingReferenceTests: ArrivingHarbour {
  let harbour: Harbour

  init() throws { harbour = try Harbour(largeScopeRows: 20) }

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
