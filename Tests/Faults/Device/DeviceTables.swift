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
/// What may become of it tells its id: `c-` stays where it is, `d-` may be deleted, `m-` may move.
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

/// A row of a group that one transaction inserts, and another may delete, never in part.
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
  /// What is synced of the tables.
  static func boards() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Board.self, scope: .kind("board", \.id)),
      SyncTable(
        Card.self, scope: .kind("board", \.boardID),
        .merged(\.votes, .counter), .merged(\.marks, .keyed)),
      SyncTable(Tie.self, scope: .kind("board", \.boardID)))
  }
}
