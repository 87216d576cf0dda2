import Offshore
import OffshoreSync
import OffshoreWire

/// A berth whose name is a title.
struct RenamedBerth: Record {
  let id: String
  var charterID: String
  var title: String
  var hours: Double?
  static let table = Table(
    "berths", RenamedBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("title", \.title), Column("hours", \.hours))
}

/// A berth in a table with another name.
struct Mooring: Record {
  let id: String
  var charterID: String
  var title: String
  var hours: Double?
  static let table = Table(
    "moorings", Mooring.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("title", \.title), Column("hours", \.hours))
}

/// A berth whose hours are minutes.
struct TimedBerth: Record {
  let id: String
  var charterID: String
  var name: String
  var minutes: Int?
  static let table = Table(
    "berths", TimedBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("name", \.name), Column("minutes", \.minutes))
}

/// A berth with a depth, which has a default.
struct SoundedBerth: Record {
  let id: String
  var charterID: String
  var name: String
  var hours: Double?
  var depth: Int
  static let table = Table(
    "berths", SoundedBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("name", \.name), Column("hours", \.hours),
    Column("depth", \.depth).default(3))
}

/// A berth with another default of its depth.
struct DeepBerth: Record {
  let id: String
  var charterID: String
  var name: String
  var hours: Double?
  var depth: Int
  static let table = Table(
    "berths", DeepBerth.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID), Column("name", \.name), Column("hours", \.hours),
    Column("depth", \.depth).default(5))
}

/// A mark in the first release.
struct FirstMark: Record {
  let id: String
  var charterID: String
  var name: String
  var depth: Int
  var state: String
  static let table = Table(
    "marks", FirstMark.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("name", \.name), Column("depth", \.depth).default(3),
    Column("state", \.state).default("lit"))
}

/// A mark that may have no name, any depth and another state.
struct WideMark: Record {
  let id: String
  var charterID: String
  var name: String?
  var depth: StoredValue
  var state: String
  static let table = Table(
    "marks", WideMark.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("name", \.name), Column("depth", \.depth), Column("state", \.state).default("lit"))
}

extension Release {
  /// Returns an alternative second release, in which a column has another name.
  static func renamed() throws -> Release {
    Release(
      schema: try .init(
        version: 2,
        SyncTable(
          RenamedBerth.self, scope: .kind("charter", \.charterID), .formerly(\.title, "name"))),
      steps: [creation, renaming])
  }

  /// Returns the third release after it, in which the table has another name.
  static func moored() throws -> Release {
    Release(
      schema: try .init(
        version: 3,
        SyncTable(
          Mooring.self, scope: .kind("charter", \.charterID), formerly: "berths",
          .formerly(\.title, "name"))),
      steps: [
        creation, renaming,
        (name: "v3_moor", statements: ["ALTER TABLE berths RENAME TO moorings" as SQL]),
      ])
  }

  private static let renaming = (
    name: "v2_rename", statements: ["ALTER TABLE berths RENAME COLUMN name TO title" as SQL]
  )

  /// Returns an alternative second release, in which minutes replace hours.
  /// - Parameter isTwoWay: whether changes of the minutes change the hours.
  static func timed(isTwoWay: Bool = true) throws -> Release {
    let hours: @Sendable (Int?) -> Double? = { minutes in minutes.map { Double($0) / 60 } }
    return Release(
      schema: try .init(
        version: 2,
        SyncTable(
          TimedBerth.self, scope: .kind("charter", \.charterID),
          .retired("hours", as: Double?.self),
          .derived(
            \.minutes, from: "hours",
            { (hours: Double?) in hours.map { Int(($0 * 60).rounded()) } },
            back: isTwoWay ? hours : nil))),
      steps: [
        creation,
        (
          name: "v2_time",
          statements: [
            "ALTER TABLE berths ADD COLUMN minutes INTEGER" as SQL,
            "UPDATE berths SET minutes = CAST(round(hours * 60) AS INTEGER)",
            "ALTER TABLE berths DROP COLUMN hours",
          ]
        ),
      ])
  }

  /// Returns an alternative second release, in which the most hours win.
  static func greatest() throws -> Release {
    Release(
      schema: try .init(
        version: 2,
        SyncTable(
          FirstBerth.self, scope: .kind("charter", \.charterID), .merged(\.hours, .max))),
      steps: [creation])
  }

  /// Returns an alternative second release, whose berths have a depth.
  /// - Parameter isLocal: whether the depth is not synced.
  static func sounded(isLocal: Bool = false) throws -> Release {
    let scope = SyncScope<SoundedBerth>.kind("charter", \.charterID)
    let table =
      isLocal
      ? SyncTable(SoundedBerth.self, scope: scope, .local(\.depth))
      : SyncTable(SoundedBerth.self, scope: scope)
    return Release(schema: try .init(version: 2, table), steps: [creation, sounding])
  }

  /// Returns the third release after it, in which the depth has another default.
  static func deepened() throws -> Release {
    Release(
      schema: try .init(
        version: 3, SyncTable(DeepBerth.self, scope: .kind("charter", \.charterID))),
      steps: [
        creation, sounding,
        (
          name: "v3_deepen",
          statements: [
            "ALTER TABLE berths RENAME TO former" as SQL,
            """
            CREATE TABLE berths (
              id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, name TEXT NOT NULL, hours REAL,
              depth INTEGER NOT NULL DEFAULT 5)
            """,
            "INSERT INTO berths SELECT * FROM former", "DROP TABLE former",
          ]
        ),
      ])
  }

  private static let sounding = (
    name: "v2_sound",
    statements: ["ALTER TABLE berths ADD COLUMN depth INTEGER NOT NULL DEFAULT 3" as SQL]
  )

  private static let marking = (
    name: "v1_mark",
    statements: [
      """
      CREATE TABLE marks (
        id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, name TEXT NOT NULL,
        depth INTEGER NOT NULL DEFAULT 3, state TEXT NOT NULL DEFAULT 'lit')
      """ as SQL
    ]
  )

  /// Returns a first release with marks.
  static func marked() throws -> Release {
    Release(
      schema: try .init(
        version: 1,
        SyncTable(
          FirstMark.self, scope: .kind("charter", \.charterID),
          .merged(\.state, .ordered(["lit", "out"])))),
      steps: [marking])
  }

  /// Returns the release after it, whose marks store more values.
  static func widened() throws -> Release {
    Release(
      schema: try .init(
        version: 2,
        SyncTable(
          WideMark.self, scope: .kind("charter", \.charterID),
          .merged(\.state, .ordered(["new", "lit", "dim", "out"])))),
      steps: [
        marking,
        (
          name: "v2_widen",
          statements: [
            "ALTER TABLE marks RENAME TO former" as SQL,
            """
            CREATE TABLE marks (
              id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, name TEXT, depth,
              state TEXT NOT NULL DEFAULT 'lit')
            """,
            "INSERT INTO marks SELECT * FROM former", "DROP TABLE former",
          ]
        ),
      ])
  }
}
