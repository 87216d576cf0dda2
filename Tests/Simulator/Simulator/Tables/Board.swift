import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

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

/// The work of a user on boards, and on the rows besides cards and notes.
extension LocalWork {
  mutating func makeBoard(_ writer: Writer) throws {
    guard !boards.isEmpty else { return }
    let id = random.pick(boards)
    let isThere = try SQL("SELECT count(*) FROM boards WHERE id = \(id)").first(
      writer, as: Int.self)
    guard isThere == 0 else { return }
    let title = text("boards", id, "title")
    try SQL("INSERT INTO boards VALUES (\(id), \(title), 0, 'draft')").run(writer)
    say("make boards/\(id)")
  }

  mutating func changeBoard(_ writer: Writer) throws {
    guard let id = try pick("boards", writer) else { return }
    switch random.number(below: 3) {
    case 0:
      let title = text("boards", id, "title")
      try SQL("UPDATE boards SET title = \(title) WHERE id = \(id)").run(writer)
    case 1:
      let more = random.number(in: 1...5)
      try SQL("UPDATE boards SET views = views + \(more) WHERE id = \(id)").run(writer)
      count("boards", id, "views", more)
    default:
      let state = random.pick(Board.states)
      try SQL("UPDATE boards SET state = \(state) WHERE id = \(id)").run(writer)
    }
    say("change boards/\(id)")
  }

  mutating func takeSeat(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let number = random.number(below: 2)
    let id = Seat.id(board, number)
    let holder = text("seats", id, "holder")
    try SQL(
      """
      INSERT INTO seats VALUES (\(id), \(board), \(number), \(holder))
      ON CONFLICT (id) DO UPDATE SET holder = excluded.holder
      """
    ).run(writer)
    say("take seats/\(id)")
  }

  mutating func makeTies(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let group = "g\(device.text().dropFirst())"
    let size = random.number(in: 2...4)
    for number in 0..<size {
      try SQL("INSERT INTO ties VALUES (\("\(group)-\(number)"), \(board), \(group), \(size))")
        .run(writer)
    }
    say("tie \(size) of \(group) in \(board)")
  }

  mutating func deleteTies(_ writer: Writer) throws {
    guard let id = try pick("ties", writer),
      let group = try SQL("SELECT groupID FROM ties WHERE id = \(id)").first(
        writer, as: String.self)
    else { return }
    try noteDeleted("ties", "groupID = \(group)", writer)
    try SQL("DELETE FROM ties WHERE groupID = \(group)").run(writer)
    say("untie \(group)")
  }
}
