import Offshore
import OffshoreSync
import OffshoreWire

/// A port, which is a scope.
struct Port: Record {
  let id: String

  static let table = Table("ports", Port.init, Column("id", \.id).primaryKey())
}

/// A berth in the first release.
struct FirstBerth: Record {
  let id: String
  let portID: String
  let title: String
  let hours: Int64
  let state: String
  let size: Int64
  let old: String?

  static let table = Table(
    "berths", FirstBerth.init, Column("id", \.id).primaryKey(),
    Column("portID", \.portID).references("ports", onDelete: .cascade), Column("title", \.title),
    Column("hours", \.hours).default(0), Column("state", \.state).default("lit"),
    Column("size", \.size).default(1), Column("old", \.old))
}

/// A berth in the second release: a column is renamed, one is removed, two are new, and one has another
/// state.
struct SecondBerth: Record {
  let id: String
  let portID: String
  let label: String
  let hours: Int64
  let state: String
  let size: Int64
  let color: String?
  let depth: Int64

  static let table = Table(
    "berths", SecondBerth.init, Column("id", \.id).primaryKey(),
    Column("portID", \.portID).references("ports", onDelete: .cascade), Column("label", \.label),
    Column("hours", \.hours).default(0), Column("state", \.state).default("lit"),
    Column("size", \.size).default(1), Column("color", \.color),
    Column("depth", \.depth).default(3))
}

/// A berth in the third release: the table is renamed, a column may be NULL, one stores any value, one
/// replaces another, and one has another default.
struct Mooring: Record {
  let id: String
  let portID: String
  let label: String?
  let minutes: Int64
  let state: String
  let size: StoredValue
  let color: String?
  let depth: Int64

  static let table = Table(
    "moorings", Mooring.init, Column("id", \.id).primaryKey(),
    Column("portID", \.portID).references("ports", onDelete: .cascade), Column("label", \.label),
    Column("minutes", \.minutes).default(0), Column("state", \.state).default("lit"),
    Column("size", \.size), Column("color", \.color), Column("depth", \.depth).default(5))
}

/// A buoy, which only the second release has.
struct Buoy: Record {
  let id: String
  let portID: String
  let name: String

  static let table = Table(
    "buoys", Buoy.init, Column("id", \.id).primaryKey(),
    Column("portID", \.portID).references("ports", onDelete: .cascade), Column("name", \.name))
}

/// A release of an app.
struct Release {
  let number: Int

  /// - Returns: `nil` if there is no such release.
  init?(_ text: String) {
    guard let number = Int(text), 1...3 ~= number else { return nil }
    self.number = number
  }

  var schema: StoreSchema {
    StoreSchema(
      migrations: Migrations((1...number).map(Self.migration)),
      sync: try SyncSchema(version: number, tables: tables, claimableKinds: ["port"]))
  }

  // MARK: - Synced tables

  private var tables: [SyncTable] {
    let ports = SyncTable(Port.self, scope: .kind("port", \.id))
    let buoys = SyncTable(Buoy.self, scope: .kind("port", \.portID))
    switch number {
    case 1: return [ports, Self.firstBerths]
    case 2: return [ports, Self.secondBerths, buoys]
    default: return [ports, Self.moorings, buoys.retired()]
    }
  }

  private static var firstBerths: SyncTable {
    SyncTable(
      FirstBerth.self, scope: .kind("port", \.portID), .merged(\.state, .ordered(["lit", "out"])))
  }

  private static var secondBerths: SyncTable {
    SyncTable(
      SecondBerth.self, scope: .kind("port", \.portID),
      .merged(\.state, .ordered(["lit", "dim", "out"])), .formerly(\.label, "title"),
      .retired("old", as: String?.self))
  }

  private static var moorings: SyncTable {
    SyncTable(
      Mooring.self, scope: .kind("port", \.portID), formerly: "berths",
      .merged(\.state, .ordered(["lit", "dim", "out"])), .formerly(\.label, "title"),
      .retired("old", as: String?.self), .retired("hours", as: Int64.self),
      .derived(\.minutes, from: "hours", { (hours: Int64) in hours * 60 }, back: { $0 / 60 }))
  }

  // MARK: - Migrations

  private static func migration(to number: Int) -> Migration {
    Migration("v\(number)") { writer in
      for sql in Self.statements(to: number) { try sql.run(writer) }
    }
  }

  private static func statements(to number: Int) -> [SQL] {
    let port: SQL = "portID TEXT NOT NULL REFERENCES ports ON DELETE CASCADE"
    switch number {
    case 1:
      return [
        "CREATE TABLE ports (id TEXT PRIMARY KEY NOT NULL)",
        """
        CREATE TABLE berths (
          id TEXT PRIMARY KEY NOT NULL, \(port), title TEXT NOT NULL,
          hours INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'lit',
          size INTEGER NOT NULL DEFAULT 1, old TEXT)
        """,
      ]
    case 2:
      return [
        "ALTER TABLE berths RENAME COLUMN title TO label", "ALTER TABLE berths DROP COLUMN old",
        "ALTER TABLE berths ADD COLUMN color TEXT",
        "ALTER TABLE berths ADD COLUMN depth INTEGER NOT NULL DEFAULT 3",
        "CREATE TABLE buoys (id TEXT PRIMARY KEY NOT NULL, \(port), name TEXT NOT NULL)",
      ]
    default:
      return [
        """
        CREATE TABLE moorings (
          id TEXT PRIMARY KEY NOT NULL, \(port), label TEXT, minutes INTEGER NOT NULL DEFAULT 0,
          state TEXT NOT NULL DEFAULT 'lit', size, color TEXT, depth INTEGER NOT NULL DEFAULT 5)
        """,
        """
        INSERT INTO moorings
        SELECT id, portID, label, hours * 60, state, size, color, depth FROM berths
        """, "DROP TABLE berths", "DROP TABLE buoys",
      ]
    }
  }

  /// The query of a line for each row, without its port.
  var lines: SQL {
    switch number {
    case 1:
      """
      SELECT id || ' ' || title || ' ' || hours || ' ' || state || ' ' || size || ' '
        || ifnull(old, '-') FROM berths ORDER BY id
      """
    case 2:
      """
      SELECT id || ' ' || label || ' ' || hours || ' ' || state || ' ' || size || ' '
        || ifnull(color, '-') || ' ' || depth FROM berths
      UNION ALL SELECT id || ' ' || name FROM buoys ORDER BY 1
      """
    default:
      """
      SELECT id || ' ' || ifnull(label, '-') || ' ' || minutes || ' ' || state || ' ' || size || ' '
        || ifnull(color, '-') || ' ' || depth FROM moorings ORDER BY id
      """
    }
  }
}
