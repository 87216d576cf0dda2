import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// A row of a table whose columns store more values from version to version, in the first version.
struct FirstPin: Record {
  let id: String
  let boardID: String
  let title: String
  let rank: Int64
  let size: Int64

  static let table = Table(
    Pin.name, FirstPin.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title), Column("rank", \.rank).default(0),
    Column("size", \.size).default(1))

  static let creation: SQL = """
    CREATE TABLE pins (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      title TEXT NOT NULL, rank INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 1)
    """
}

/// The same row in the second version: a column is merged by another policy, one stores any value, and
/// one is new.
struct SecondPin: Record {
  let id: String
  let boardID: String
  let title: String
  let rank: Int64
  let size: StoredValue
  let depth: Int64

  static let table = Table(
    Pin.name, SecondPin.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title), Column("rank", \.rank).default(0), Column("size", \.size),
    Column("depth", \.depth).default(3))

  static let migration = Pin.rebuild("id, boardID, title, rank, size, 3", depth: 3)
}

/// The same row in the third version: a column has another default.
struct Pin: Record {
  let id: String
  let boardID: String
  let title: String
  let rank: Int64
  let size: StoredValue
  let depth: Int64

  static let name = "pins"

  static let table = Table(
    name, Pin.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title), Column("rank", \.rank).default(0), Column("size", \.size),
    Column("depth", \.depth).default(5))

  static let migration = rebuild("*", depth: 5)

  /// Returns the statements that create the table again with its rows.
  /// - Parameters:
  ///   - columns: the columns of the table before.
  ///   - depth: the default of the depth.
  static func rebuild(_ columns: SQL, depth: Int) -> [SQL] {
    [
      """
      CREATE TABLE next (
        id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
        title TEXT NOT NULL, rank INTEGER NOT NULL DEFAULT 0, size,
        depth INTEGER NOT NULL DEFAULT \(SQL(raw: "\(depth)")))
      """, "INSERT INTO next SELECT \(columns) FROM pins", "DROP TABLE pins",
      "ALTER TABLE next RENAME TO pins",
    ]
  }

  /// Returns the synced table of a version of the app.
  static func tables(_ version: Int) -> [SyncTable] {
    switch version {
    case 1: [SyncTable(FirstPin.self, scope: .kind("board", \.boardID))]
    case 2: [SyncTable(SecondPin.self, scope: .kind("board", \.boardID), .merged(\.rank, .max))]
    default: [SyncTable(Pin.self, scope: .kind("board", \.boardID), .merged(\.rank, .max))]
    }
  }
}

extension SyncedTable {
  /// The table, if it is that of pins with the rank's policy in the first version.
  var withFormerRank: SyncedTable {
    guard name == Pin.name else { return self }
    let columns = columns.map { column in
      column.name == "rank"
        ? SyncedColumn("rank", column.type, hasDefault: column.hasDefault) : column
    }
    return SyncedTable(
      name, idColumn: idColumn, scopeKind: scopeKind, scopeColumn: scopeColumn, columns: columns,
      uniqueKeys: uniqueKeys, idSource: idSource, writers: writers, renamed: renamed,
      isRetired: isRetired)
  }
}

/// A row of a table that only the second version of the app has.
struct Flag: Record {
  let id: String
  let boardID: String
  let title: String

  static let name = "flags"

  static let table = Table(
    name, Flag.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title))

  static let creation: SQL = """
    CREATE TABLE flags (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      title TEXT NOT NULL)
    """

  static let removal: SQL = "DROP TABLE flags"

  /// Returns the synced table of a version of the app.
  static func tables(_ version: Int) -> [SyncTable] {
    let table = SyncTable(Flag.self, scope: .kind("board", \.boardID))
    return version == 1 ? [] : version == 2 ? [table] : [table.retired()]
  }
}

/// The work of a user on pins and flags.
extension LocalWork {
  private var hasFlags: Bool { device.version.table(Flag.name) != nil }

  mutating func makePin(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "q\(device.text().dropFirst())"
    let title = text(Pin.name, id, "title")
    try SQL(
      """
      INSERT INTO pins (id, boardID, title, rank)
      VALUES (\(id), \(board), \(title), \(random.number(below: 9)))
      """
    ).run(writer)
    say("make pins/\(id) in \(board)")
  }

  mutating func changePin(_ writer: Writer) throws {
    guard let id = try pick(Pin.name, writer) else { return }
    let (column, value) = pinChange(of: id)
    try SQL("UPDATE pins SET \(identifier: column) = \(value) WHERE id = \(id)").run(writer)
    say("change pins/\(id) \(column)")
  }

  private mutating func pinChange(of id: String) -> (column: String, value: SQL) {
    let isFirst = device.version.number == 1
    switch random.number(below: 8) {
    case 0, 1: return ("title", "\(text(Pin.name, id, "title"))")
    case 2, 3: return ("rank", "\(random.number(below: 9))")
    case 4 where !isFirst: return ("size", random.chance(50) ? "'wide'" : "NULL")
    case 5 where !isFirst, 6 where !isFirst: return ("depth", "\(random.number(in: 2...6))")
    default: return ("size", "\(random.number(below: 9))")
    }
  }

  mutating func deletePin(_ writer: Writer) throws { try delete(Pin.name, writer) }

  mutating func makeFlag(_ writer: Writer) throws {
    guard hasFlags, let board = try pick("boards", writer) else { return }
    let id = "f\(device.text().dropFirst())"
    let title = text(Flag.name, id, "title")
    try SQL("INSERT INTO flags VALUES (\(id), \(board), \(title))").run(writer)
    say("make flags/\(id) in \(board)")
  }

  mutating func changeFlag(_ writer: Writer) throws {
    guard hasFlags, let id = try pick(Flag.name, writer) else { return }
    let title = text(Flag.name, id, "title")
    try SQL("UPDATE flags SET title = \(title) WHERE id = \(id)").run(writer)
    say("change flags/\(id)")
  }

  mutating func deleteFlag(_ writer: Writer) throws {
    if hasFlags { try delete(Flag.name, writer) }
  }
}
