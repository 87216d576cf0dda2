import Offshore
import TestSupport

/// A row that may refer to a card, in the app's first version.
struct FirstNote: Record {
  let id: String
  let boardID: String
  let cardID: String?
  let body: String

  static let table = Table(
    "notes", FirstNote.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("cardID", \.cardID).references("cards", onDelete: .setNull), Column("body", \.body))

  static let creation: SQL = """
    CREATE TABLE notes (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      cardID TEXT REFERENCES cards ON DELETE SET NULL, body TEXT NOT NULL)
    """
}

/// The same row in the app's second version.
struct Note: Record {
  let id: String
  let boardID: String
  let cardID: String?
  let body: String
  let color: String?

  static let table = Table(
    "notes", Note.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("cardID", \.cardID).references("cards", onDelete: .setNull), Column("body", \.body),
    Column("color", \.color))

  /// The statement of the second version's migration.
  static let migration: SQL = "ALTER TABLE notes ADD COLUMN color TEXT"
}

/// The work of a user on notes.
extension LocalWork {
  mutating func makeNote(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "n\(device.text().dropFirst())"
    let card =
      random.chance(60) ? try pick("cards", writer, where: "boardID = \(board)") : nil
    let body = text("notes", id, "body")
    try SQL(
      """
      INSERT INTO notes (id, boardID, cardID, body) VALUES (\(id), \(board), \(card), \(body))
      """
    ).run(writer)
    say("make notes/\(id) of \(card ?? "no card") in \(board)")
  }

  mutating func changeNote(_ writer: Writer) throws {
    guard let id = try pick("notes", writer) else { return }
    switch random.number(below: device.version.number == 1 ? 3 : 4) {
    case 0, 1:
      let body = text("notes", id, "body")
      try SQL("UPDATE notes SET body = \(body) WHERE id = \(id)").run(writer)
    case 2:
      let card = try pick(
        "cards", writer, where: "boardID = (SELECT boardID FROM notes WHERE id = \(id))")
      try SQL("UPDATE notes SET cardID = \(card) WHERE id = \(id)").run(writer)
    default:
      let color = text("notes", id, "color")
      try SQL("UPDATE notes SET color = \(color) WHERE id = \(id)").run(writer)
    }
    say("change notes/\(id)")
  }
}
