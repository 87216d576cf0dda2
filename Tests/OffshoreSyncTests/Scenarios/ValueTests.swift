import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

/// The transfer of values from one device through the server to another.
struct ValueTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }
  private var ben: Ship { harbour.ships[1] }

  init() throws {
    harbour = try Harbour(
      schema: SyncSchema(
        version: 1, SyncTable(Sample.self, scope: .kind("charter", \.charterID))),
      creating: [Sample.creation])
    try anna.pullAll()
  }

  private func content(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      """
      SELECT id || typeof(content) || CASE typeof(content)
        WHEN 'real' THEN quote(content) ELSE hex(content) END FROM samples ORDER BY id
      """)
  }

  @Test func `Values of each kind arrive bit for bit`() throws {
    let values: [SQL] = [
      "NULL", "9223372036854775807", "-9223372036854775808", "1", "1.0", "-0.0", "9e999",
      "-9e999", "5e-324", "1.7976931348623157e308", "0.1 + 0.2", "''", "x''", "x'00FF00'",
      "'Öl ' || char(0) || '⛵'", "CAST(x'FF41' AS TEXT)", "printf('%.*c', 300000, 'x')",
      "zeroblob(300000)",
    ]
    for (number, value) in values.enumerated() {
      try anna.run("INSERT INTO samples VALUES ('s' || \(number), 'c1', \(value))")
    }
    try harbour.settle()
    #expect(try content(ben) == content(anna))
    #expect(try content(ben).count == values.count)
  }

  @Test func `Reals of random bits arrive bit for bit`() throws {
    var random = SeededRandom(seed: 1)
    let reals = (0..<20_000).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN }
    try anna.device.connection.write { writer in
      for (number, real) in reals.enumerated() {
        try SQL("INSERT INTO samples VALUES ('s' || \(number), 'c1', \(real))").run(writer)
      }
    }
    try harbour.settle(limit: WireLimits.rowsPerPage)
    let arrived = try ben.device.connection.read {
      try SQL("SELECT content FROM samples ORDER BY CAST(substr(id, 2) AS INTEGER)")
        .all($0, as: Double.self)
    }
    #expect(arrived.map(\.bitPattern) == reals.map(\.bitPattern))
  }
}

/// A row with a value of any type.
private struct Sample: Record {
  let id: String
  var charterID: String
  var content: String?
  static let table = Table(
    "samples", Sample.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("content", \.content).type("ANY"))
  static let creation: SQL = """
    CREATE TABLE samples (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, content ANY) STRICT
    """
}
