import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// A row that only the owners of its board write.
struct Notice: Record {
  let id: String
  let boardID: String
  let body: String

  static let name = "notices"

  static let table = Table(
    name, Notice.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("body", \.body))

  static let creation: SQL = """
    CREATE TABLE notices (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      body TEXT NOT NULL)
    """
}

/// The work of a user on notices. If the device knows that the user is not an owner, it is forged.
extension LocalWork {
  mutating func makeNotice(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "w\(device.text().dropFirst())"
    let body = text(Notice.name, id, "body")
    try SQL("INSERT INTO notices VALUES (\(id), \(board), \(body))").run(writer)
    try noteForged(id, in: board, writer)
    say("make notices/\(id) in \(board)")
  }

  mutating func changeNotice(_ writer: Writer) throws {
    guard let (id, board) = try pickNotice(writer) else { return }
    let body = text(Notice.name, id, "body")
    try SQL("UPDATE notices SET body = \(body) WHERE id = \(id)").run(writer)
    try noteForged(id, in: board, writer)
    say("change notices/\(id)")
  }

  mutating func deleteNotice(_ writer: Writer) throws {
    guard let (id, board) = try pickNotice(writer) else { return }
    try noteForged(id, in: board, writer)
    try end(Notice.name, id, writer)
    if forged[id] == nil { try noteDeleted(Notice.name, "id = \(id)", writer) }
    try SQL("DELETE FROM notices WHERE id = \(id)").run(writer)
    say("delete notices/\(id)")
  }

  /// Draws a notice with its board.
  ///
  /// NB: A forged notice that is deleted again is no forgery.
  private mutating func pickNotice(_ writer: Writer) throws -> (id: String, board: String)? {
    let isKnown = forged.keys.sorted().reduce("true" as SQL) { "\($0) AND id <> \($1)" }
    guard let id = try pick(Notice.name, writer, where: isKnown),
      let board = try SQL("SELECT boardID FROM notices WHERE id = \(id)")
        .first(writer, as: String.self)
    else { return nil }
    return (id, board)
  }

  private mutating func noteForged(_ id: String, in board: String, _ writer: Writer) throws {
    let scope = try ScopeID(kind: "board", value: board)
    if let role = try device.replica.role(in: scope, writer), role != .owner { forged[id] = board }
  }
}
