import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// A row of a table that each version of the app declares otherwise, in the first version.
struct FirstMark: Record {
  let id: String
  let boardID: String
  let title: String
  let hours: Int64
  let state: String
  let old: String?

  static let table = Table(
    Mark.name, FirstMark.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title), Column("hours", \.hours).default(0),
    Column("state", \.state).default("lit"), Column("old", \.old))

  static let creation: SQL = """
    CREATE TABLE marks (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      title TEXT NOT NULL, hours INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'lit',
      old TEXT)
    """

  static var synced: SyncTable {
    SyncTable(
      FirstMark.self, scope: .kind("board", \.boardID),
      .merged(\.state, .ordered(Mark.states.filter { $0 != "dim" })))
  }
}

/// The same row in the second version: a column is renamed, one is removed, one is new, and one has
/// another state.
struct SecondMark: Record {
  let id: String
  let boardID: String
  let label: String
  let hours: Int64
  let state: String
  let color: String?

  static let table = Table(
    Mark.name, SecondMark.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("label", \.label), Column("hours", \.hours).default(0),
    Column("state", \.state).default("lit"), Column("color", \.color))

  static let migration: [SQL] = [
    "ALTER TABLE marks RENAME COLUMN title TO label", "ALTER TABLE marks DROP COLUMN old",
    "ALTER TABLE marks ADD COLUMN color TEXT",
  ]

  static var synced: SyncTable {
    SyncTable(
      SecondMark.self, scope: .kind("board", \.boardID),
      .merged(\.state, .ordered(Mark.states)), .formerly(\.label, "title"),
      .retired("old", as: String?.self))
  }
}

/// The same row in the third version: the table is renamed, a column may be NULL, and one replaces
/// another.
struct Sign: Record {
  let id: String
  let boardID: String
  let label: String?
  let minutes: Int64
  let state: String
  let color: String?

  static let table = Table(
    "signs", Sign.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("label", \.label), Column("minutes", \.minutes).default(0),
    Column("state", \.state).default("lit"), Column("color", \.color))

  static let migration: [SQL] = [
    """
    CREATE TABLE signs (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      label TEXT, minutes INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'lit',
      color TEXT)
    """,
    "INSERT INTO signs SELECT id, boardID, label, hours * 60, state, color FROM marks",
    "DROP TABLE marks",
  ]

  static var synced: SyncTable {
    SyncTable(
      Sign.self, scope: .kind("board", \.boardID), formerly: Mark.name,
      .merged(\.state, .ordered(Mark.states)), .formerly(\.label, "title"),
      .retired("old", as: String?.self), .retired("hours", as: Int64.self),
      .derived(\.minutes, from: "hours", { (hours: Int64) in hours * 60 }, back: { $0 / 60 }))
  }
}

/// The properties of marks in all versions.
enum Mark {
  /// The name of the table in messages.
  static let name = "marks"
  static let states = ["lit", "dim", "out"]
}

/// The work of a user on marks.
extension LocalWork {
  private var marks: String { device.version.localName(of: Mark.name) }
  private var number: Int { device.version.number }

  mutating func makeMark(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "k\(device.text().dropFirst())"
    let title = text(Mark.name, id, "title")
    let (label, time) = (number == 1 ? "title" : "label", number == 3 ? "minutes" : "hours")
    try SQL(
      """
      INSERT INTO \(identifier: marks) (id, boardID, \(identifier: label), \(identifier: time))
      VALUES (\(id), \(board), \(title), \(random.number(below: 9)))
      """
    ).run(writer)
    say("make marks/\(id) in \(board)")
  }

  mutating func changeMark(_ writer: Writer) throws {
    guard let id = try pick(marks, writer) else { return }
    let (column, value) = markChange(of: id)
    try SQL("UPDATE \(identifier: marks) SET \(identifier: column) = \(value) WHERE id = \(id)")
      .run(writer)
    say("change marks/\(id) \(column)")
  }

  private mutating func markChange(of id: String) -> (column: String, value: SQL) {
    let label = number == 1 ? "title" : "label"
    switch random.number(below: 8) {
    case 0, 1: return (label, "\(text(Mark.name, id, "title"))")
    case 2 where number == 3:
      clear(Mark.name, id, "title")
      return (label, "NULL")
    case 2, 3:
      return number == 3
        ? ("minutes", "\(random.number(below: 300))") : ("hours", "\(random.number(below: 9))")
    case 4, 5: return ("state", "\(random.pick(number == 1 ? ["lit", "out"] : Mark.states))")
    default:
      let column = number == 1 ? "old" : "color"
      return (column, "\(text(Mark.name, id, column))")
    }
  }

  mutating func deleteMark(_ writer: Writer) throws { try delete(Mark.name, writer) }
}
