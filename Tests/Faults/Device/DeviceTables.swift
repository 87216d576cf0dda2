import Offshore
import OffshoreSync
import OffshoreWire

/// A row that is its own scope.
struct Board: Record {
  let id: String
  let title: String

  static let table = Table(
    "boards", Board.init, Column("id", \.id).primaryKey(), Column("title", \.title))

  static let creation: SQL =
    "CREATE TABLE boards (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)"
}

/// A row with a text, a counter, and a column that is merged key by key.
///
/// The prefix of the id determines the changes to the row: `c-` stays in its board, `d-` may be
/// deleted, `m-` may move.
struct Card: Record {
  let id: String
  let boardID: String
  let text: String
  let votes: Int64
  let marks: String

  static let table = Table(
    "cards", Card.init, Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("text", \.text), Column("votes", \.votes), Column("marks", \.marks))

  static let creation: SQL = """
    CREATE TABLE cards (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      text TEXT NOT NULL, votes INTEGER NOT NULL, marks TEXT NOT NULL)
    """
}

/// A row of a group. One transaction inserts the whole group, and another one may delete it.
struct Tie: Record {
  let id: String
  let boardID: String
  let groupID: String
  let size: Int64

  static let table = Table(
    "ties", Tie.init, Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("groupID", \.groupID), Column("size", \.size))

  static let creation: SQL = """
    CREATE TABLE ties (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      groupID TEXT NOT NULL, size INTEGER NOT NULL)
    """
}

extension SyncSchema {
  /// Returns the synced columns and scopes of the tables.
  static func boards() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Board.self, scope: .kind("board", \.id)),
      SyncTable(
        Card.self, scope: .kind("board", \.boardID),
        .merged(\.votes, .counter), .merged(\.marks, .keyed)),
      SyncTable(Tie.self, scope: .kind("board", \.boardID)))
  }
}
