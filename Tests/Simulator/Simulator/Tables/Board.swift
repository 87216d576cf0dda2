import Offshore
import OffshoreSync

/// A row that is its own scope.
struct Board: Record {
  let id: String
  let title: String
  let views: Int64
  let state: String

  static let states = ["draft", "open", "closed"]

  static let table = Table(
    "boards", Board.init,
    Column("id", \.id).primaryKey(), Column("title", \.title), Column("views", \.views),
    Column("state", \.state))

  static let creation: SQL = """
    CREATE TABLE boards (
      id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, views INTEGER NOT NULL,
      state TEXT NOT NULL)
    """
}

/// A row with a derived id, which two devices can insert independently.
struct Seat: Record {
  let id: String
  let boardID: String
  let number: Int64
  let holder: String?

  static let table = Table(
    "seats", Seat.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("number", \.number), Column("holder", \.holder)
  ).index(\.boardID, \.number, isUnique: true)

  static let creation: SQL = """
    CREATE TABLE seats (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      number INTEGER NOT NULL, holder TEXT, UNIQUE (boardID, number))
    """

  /// Returns the derived id, which is equal on all devices.
  static func id(_ boardID: String, _ number: Int) -> String { "s-\(boardID)-\(number)" }
}

/// A row of a group. One transaction inserts the whole group, and another one may delete it.
struct Tie: Record {
  let id: String
  let boardID: String
  let groupID: String
  let size: Int64

  static let table = Table(
    "ties", Tie.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("groupID", \.groupID), Column("size", \.size))

  static let creation: SQL = """
    CREATE TABLE ties (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      groupID TEXT NOT NULL, size INTEGER NOT NULL)
    """
}

/// A row in a scope of another kind, which belongs to one account.
struct Memo: Record {
  let id: String
  let ownerID: String
  let body: String
  let count: Int64

  static let table = Table(
    "memos", Memo.init,
    Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID), Column("body", \.body),
    Column("count", \.count))

  static let creation: SQL = """
    CREATE TABLE memos (
      id TEXT PRIMARY KEY NOT NULL, ownerID TEXT NOT NULL, body TEXT NOT NULL,
      count INTEGER NOT NULL)
    """
}
