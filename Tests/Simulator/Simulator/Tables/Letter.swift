import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import TestSupport

/// A row that only its author writes, and that may answer another one.
struct Letter: Record {
  let id: String
  let boardID: String
  let authorID: String
  let answersID: String?
  let body: String

  static let name = "letters"

  static let table = Table(
    name, Letter.init,
    Column("id", \.id).primaryKey(),
    Column("boardID", \.boardID).references("boards", onDelete: .cascade),
    Column("authorID", \.authorID),
    Column("answersID", \.answersID).references(name, onDelete: .setNull), Column("body", \.body))

  static let creation: SQL = """
    CREATE TABLE letters (
      id TEXT PRIMARY KEY NOT NULL, boardID TEXT NOT NULL REFERENCES boards ON DELETE CASCADE,
      authorID TEXT NOT NULL, answersID TEXT REFERENCES letters ON DELETE SET NULL,
      body TEXT NOT NULL)
    """
}

/// The work of a user on letters.
extension LocalWork {
  private var author: String { device.account.uuid.uuidString }

  mutating func makeLetter(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    _ = try insertLetter(of: author, in: board, writer)
  }

  private mutating func insertLetter(
    of author: String, in board: String, _ writer: Writer
  ) throws -> String {
    let id = "l\(device.text().dropFirst())"
    let other =
      random.chance(60) ? try pick(Letter.name, writer, where: "boardID = \(board)") : nil
    let body = text(Letter.name, id, "body")
    try SQL("INSERT INTO letters VALUES (\(id), \(board), \(author), \(other), \(body))")
      .run(writer)
    say("make letters/\(id) to \(other ?? "nobody") in \(board)")
    return id
  }

  mutating func changeLetter(_ writer: Writer) throws {
    guard let id = try pick(Letter.name, writer, where: "authorID = \(author)") else { return }
    let body = text(Letter.name, id, "body")
    try SQL("UPDATE letters SET body = \(body) WHERE id = \(id)").run(writer)
    say("change letters/\(id)")
  }

  mutating func deleteLetter(_ writer: Writer) throws {
    try delete(Letter.name, writer, where: "authorID = \(author)")
  }

  /// Writes what only another account may write.
  mutating func forgeLetter(_ writer: Writer) throws {
    // NB: A forged letter that is deleted again, or gets its true author, is no forgery.
    let isKnown = forged.keys.sorted().reduce("true" as SQL) { "\($0) AND id <> \($1)" }
    guard let id = try pick(Letter.name, writer, where: "authorID <> \(author) AND \(isKnown)"),
      let (board, other) = try SQL("SELECT boardID, authorID FROM letters WHERE id = \(id)")
        .all(writer, as: String.self, String.self).first
    else { return }
    switch random.number(below: 4) {
    case 0:
      forged[id] = board
      try end(Letter.name, id, writer)
      try SQL("DELETE FROM letters WHERE id = \(id)").run(writer)
    case 1: forged[try insertLetter(of: other, in: board, writer)] = board
    // NB: Another author cannot be sent, so a device that takes the change shows it for good.
    case 2 where device.isHonest:
      forged[id] = board
      try SQL("UPDATE letters SET authorID = \(author) WHERE id = \(id)").run(writer)
    default:
      forged[id] = board
      let body = text(Letter.name, id, "body")
      try SQL("UPDATE letters SET body = \(body) WHERE id = \(id)").run(writer)
    }
    say("forge letters/\(id)")
  }
}
