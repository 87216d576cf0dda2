import Offshore
import OffshoreSync
import OffshoreWire

/// A berth in the first release.
struct FirstBerth: Record {
  let id: String
  var charterID: String
  var name: String
  var hours: Double?
  static let table = Table(
    "berths", FirstBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("name", \.name), Column("hours", \.hours))
}

/// A berth with the columns that the second release has added.
struct SecondBerth: Record {
  let id: String
  var charterID: String
  var name: String
  var hours: Double?
  var note: String?
  var depth: Int
  var items: String?
  static let table = Table(
    "berths", SecondBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("name", \.name), Column("hours", \.hours),
    Column("note", \.note), Column("depth", \.depth).default(3), Column("items", \.items))
}

/// A berth without the column that the third release has dropped.
struct ThirdBerth: Record {
  let id: String
  var charterID: String
  var name: String
  var note: String?
  var depth: Int
  var items: String?
  static let table = Table(
    "berths", ThirdBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("name", \.name), Column("note", \.note),
    Column("depth", \.depth).default(3), Column("items", \.items))
}

/// A buoy, which was added in the second release and may belong to a berth.
struct Buoy: Record {
  let id: String
  var charterID: String
  var berthID: String?
  var colour: String
  static let table = Table(
    "buoys", Buoy.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("berthID", \.berthID).references("berths", onDelete: .setNull),
    Column("colour", \.colour))
  static let creation: SQL = """
    CREATE TABLE buoys (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL,
      berthID TEXT REFERENCES berths ON DELETE SET NULL, colour TEXT NOT NULL)
    """
}

/// A release of an app: its schema and its migrations.
struct Release {
  let schema: SyncSchema
  /// The statements of each migration.
  let steps: [(name: String, statements: [SQL])]

  var statements: [SQL] { steps.flatMap(\.statements) }

  static let creation = (
    name: "v1_create",
    statements: [
      """
      CREATE TABLE berths (
        id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, name TEXT NOT NULL, hours REAL)
      """ as SQL
    ]
  )

  private static let addition = (
    name: "v2_add",
    statements: [
      "ALTER TABLE berths ADD COLUMN note TEXT" as SQL,
      "ALTER TABLE berths ADD COLUMN depth INTEGER NOT NULL DEFAULT 3",
      "ALTER TABLE berths ADD COLUMN items TEXT", Buoy.creation,
    ]
  )

  private static let removal = (
    name: "v3_drop",
    statements: ["ALTER TABLE berths DROP COLUMN hours" as SQL, "DROP TABLE buoys"]
  )

  private static let recovery = (
    name: "v4_return",
    statements: ["ALTER TABLE berths ADD COLUMN hours REAL" as SQL, Buoy.creation]
  )

  static func first() throws -> Release {
    Release(
      schema: try .init(
        version: 1, SyncTable(FirstBerth.self, scope: .kind("charter", \.charterID))),
      steps: [creation])
  }

  static func second() throws -> Release {
    Release(
      schema: try .init(version: 2, secondBerths, buoys), steps: [creation, addition])
  }

  static func third() throws -> Release {
    Release(
      schema: try .init(version: 3, thirdBerths, buoys.retired()),
      steps: [creation, addition, removal])
  }

  /// Returns a release with everything that the second had.
  static func fourth() throws -> Release {
    Release(
      schema: try .init(version: 4, secondBerths, buoys),
      steps: [creation, addition, removal, recovery])
  }

  private static let secondBerths = SyncTable(
    SecondBerth.self, scope: .kind("charter", \.charterID), .merged(\.items, .keyed))

  private static let thirdBerths = SyncTable(
    ThirdBerth.self, scope: .kind("charter", \.charterID), .merged(\.items, .keyed),
    .retired("hours", as: Double?.self))

  private static let buoys = SyncTable(Buoy.self, scope: .kind("charter", \.charterID))
}
