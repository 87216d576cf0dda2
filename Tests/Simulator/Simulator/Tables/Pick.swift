import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// A row by which a user chooses whether the members of a board read the user's memos.
struct Pick: Record {
  let id: String
  let ownerID: String
  let boardID: String
  let shows: String?

  static let table = Table(
    "picks", Pick.init,
    Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID), Column("boardID", \.boardID),
    Column("shows", \.shows))

  static let creation: SQL = """
    CREATE TABLE picks (
      id TEXT PRIMARY KEY NOT NULL, ownerID TEXT NOT NULL, boardID TEXT NOT NULL, shows TEXT)
    """

  /// The choice by which the members read.
  static let all = "all"

  /// The rule by which users read memos of each other.
  static var rule: AccessRule {
    .members(of: "board", read: "person")
      .choice(\Pick.boardID, \.shows, [all]).block(\Ban.otherID)
  }
}

/// A row by which a user and another one do not read each other's memos.
struct Ban: Record {
  let id: String
  let ownerID: String
  let otherID: String

  static let table = Table(
    "bans", Ban.init,
    Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID), Column("otherID", \.otherID))

  static let creation: SQL = """
    CREATE TABLE bans (
      id TEXT PRIMARY KEY NOT NULL, ownerID TEXT NOT NULL, otherID TEXT NOT NULL)
    """
}

/// The work of a user on memos and on the rows that say who reads them.
extension LocalWork {
  private var owner: String { device.account.description }

  /// The condition of the user's own rows.
  var isOwn: SQL { "ownerID = \(owner)" }

  mutating func changeMemo(_ writer: Writer) throws {
    guard random.chance(60), let id = try pick("memos", writer, where: isOwn) else {
      let id = "m\(device.text().dropFirst())"
      let body = text("memos", id, "body")
      try SQL("INSERT INTO memos VALUES (\(id), \(owner), \(body), 1)").run(writer)
      count("memos", id, "count", 1)
      return say("make memos/\(id)")
    }
    let body = text("memos", id, "body")
    try SQL("UPDATE memos SET body = \(body), count = count + 1 WHERE id = \(id)").run(writer)
    count("memos", id, "count", 1)
    say("change memos/\(id)")
  }

  mutating func changePick(_ writer: Writer) throws {
    let shows = random.pick([Pick.all, Pick.all, "some", nil])
    guard random.chance(60), let id = try pick("picks", writer, where: isOwn) else {
      return try makePick(shows, writer)
    }
    try SQL("UPDATE picks SET shows = \(shows) WHERE id = \(id)").run(writer)
    say("change picks/\(id) to \(shows ?? "nothing")")
  }

  mutating func makePick(_ shows: String?, _ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "p\(device.text().dropFirst())"
    try SQL("INSERT INTO picks VALUES (\(id), \(owner), \(board), \(shows))").run(writer)
    say("pick \(shows ?? "nothing") for \(board) by picks/\(id)")
  }

  mutating func makeBan(_ writer: Writer) throws {
    guard !device.others.isEmpty else { return }
    let (other, id) = (random.pick(device.others), "x\(device.text().dropFirst())")
    try SQL("INSERT INTO bans VALUES (\(id), \(owner), \(other.description))").run(writer)
    say("ban \(other)")
  }
}
