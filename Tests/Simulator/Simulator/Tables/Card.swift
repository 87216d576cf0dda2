import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A row with a column of each merge policy, which may move to another board.
///
/// A card whose id begins with ``tokenPrefix`` is a token: it moves between boards and is never
/// deleted by itself.
struct Card: Record {
  let id: String
  let boardID: String
  let title: String
  let note: String?
  let most: Int64?
  let least: Int64?
  let votes: Int64
  let tags: String?
  let items: String?
  let stage: String
  let longest: String
  let weight: Double?
  let bits: Data?
  let extra: StoredValue
  let isOpen: Int64

  static let stages = ["sending", "sent", "delivered", "read"]
  static let tokenPrefix = "t"

  static let table = Table(
    "cards", Card.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("title", \.title), Column("note", \.note), Column("most", \.most),
    Column("least", \.least), Column("votes", \.votes), Column("tags", \.tags),
    Column("items", \.items), Column("stage", \.stage), Column("longest", \.longest),
    Column("weight", \.weight), Column("bits", \.bits), Column("extra", \.extra),
    Column("isOpen", \.isOpen).default(1))

  static let creation: SQL = """
    CREATE TABLE cards (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      title TEXT NOT NULL, note TEXT, most INTEGER, least INTEGER,
      votes INTEGER NOT NULL DEFAULT 0, tags TEXT, items TEXT,
      stage TEXT NOT NULL DEFAULT 'sending', longest TEXT NOT NULL DEFAULT '', weight REAL,
      bits BLOB, extra, isOpen INTEGER NOT NULL DEFAULT 1)
    """
}

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

extension RowID {
  /// Whether the row is a card that is never deleted by itself.
  var isToken: Bool { table == "cards" && id.hasPrefix(Card.tokenPrefix) }
}
