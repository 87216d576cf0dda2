import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

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

extension RowID {
  /// Whether the row is a card that is never deleted by itself.
  var isToken: Bool { table == "cards" && id.hasPrefix(Card.tokenPrefix) }
}

/// The work of a user on cards.
extension LocalWork {
  mutating func makeCard(isToken: Bool = false, _ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let id = "\(isToken ? Card.tokenPrefix : "c")\(device.text().dropFirst())"
    try insertCard(id, in: board, writer)
    say("make cards/\(id) in \(board)")
  }

  private mutating func insertCard(_ id: String, in board: String, _ writer: Writer) throws {
    let title = text("cards", id, "title")
    try SQL(
      """
      INSERT INTO cards (id, boardID, title, note, most, votes, tags, items, weight, extra)
      VALUES (\(id), \(board), \(title), NULL, \(random.number(below: 9)), 0, \(tags()), \(items()),
        \(Double(random.number(below: 1_000)) / 7), \(extra()))
      """
    ).run(writer)
  }

  mutating func changeCard(_ writer: Writer) throws {
    guard let id = try pick("cards", writer) else { return }
    let count = random.number(in: 1...3)
    var changes: [SQL] = []
    var columns: Set<String> = []
    for _ in 0..<count {
      let known = writes.count
      let (column, value, more) = change(of: id)
      guard columns.insert(column).inserted else {
        forgetWrites(after: known)
        continue
      }
      changes.append("\(identifier: column) = \(value)")
      if more != 0 { self.count("cards", id, column, more) }
    }
    let list = changes.dropFirst().reduce(changes[0]) { "\($0), \($1)" }
    try SQL("UPDATE cards SET \(list) WHERE id = \(id)").run(writer)
    say("change cards/\(id) \(columns.sorted().joined(separator: ","))")
  }

  /// Draws a column with its new value; for a counter, also the number that is added.
  private mutating func change(of id: String) -> (column: String, value: SQL, more: Int) {
    let number = random.number(below: 20)
    let more = number - 5
    let (column, value) = change(of: id, number)
    return (column, value, column == "votes" ? more : 0)
  }

  private mutating func change(of id: String, _ number: Int) -> (column: String, value: SQL) {
    switch random.number(below: 14) {
    case 0...2: return ("title", "\(text("cards", id, "title"))")
    case 3: return ("note", "\(text("cards", id, "note"))")
    case 4: return ("most", "\(number)")
    case 5: return ("least", "\(number - 10)")
    case 6: return ("votes", "votes + \(number - 5)")
    case 7: return ("tags", "\(tags())")
    case 8: return ("items", "\(items())")
    case 9: return ("stage", "\(random.pick(Card.stages))")
    case 10: return ("longest", "\(text("cards", id, "longest", padding: number))")
    case 11: return ("weight", number == 0 ? "NULL" : "\(Double(number) / 3)")
    case 12:
      let bytes = Data((0..<number).map { UInt8(truncatingIfNeeded: $0 * 37) })
      return ("bits", number == 0 ? "NULL" : "\(bytes)")
    default: return ("extra", extra())
    }
  }

  private mutating func tags() -> String {
    let tags = ["a", "b", "c"].filter { _ in random.chance(50) }
    return "[\(tags.map { "\"\($0)\"" }.joined(separator: ","))]"
  }

  private mutating func items() -> String {
    let keys = ["k0", "k1", "k2"].filter { _ in random.chance(50) }
    let entries = keys.map { "\"\($0)\":\(random.number(below: 9))" }
    return "{\(entries.joined(separator: ","))}"
  }

  /// Draws a value of any type, including 1 and 1.0, which differ.
  private mutating func extra() -> SQL {
    switch random.number(below: 6) {
    case 0: "NULL"
    case 1: "1"
    case 2: "1.0"
    case 3: "-0.0"
    case 4: "x'00ff'"
    default: "\("any \(random.number(below: 3))")"
    }
  }

  /// Runs a statement that changes many rows.
  mutating func changeMany(_ writer: Writer) throws {
    guard let board = try pick("boards", writer) else { return }
    let number = random.number(in: 1...9)
    switch random.number(below: 3) {
    case 0:
      let cards = try SQL("SELECT id FROM cards WHERE boardID = \(board)")
        .all(writer, as: String.self)
      for id in cards { count("cards", id, "votes", number) }
      try SQL("UPDATE cards SET votes = votes + \(number) WHERE boardID = \(board)").run(writer)
    case 1: try SQL("UPDATE cards SET weight = \(Double(number)), isOpen = 0").run(writer)
    default: try SQL("UPDATE cards SET note = NULL WHERE boardID = \(board)").run(writer)
    }
    say("change cards of \(board)")
  }

  mutating func moveCard(_ writer: Writer) throws {
    guard let id = try pick("cards", writer),
      let from = try SQL("SELECT boardID FROM cards WHERE id = \(id)").first(
        writer, as: String.self),
      let board = try pick("boards", writer, where: "id <> \(from)")
    else { return }
    // Notes that refer to the card move with it or lose the reference; a careless app forgets that.
    if !random.chance(habits.carelessness) {
      let change: SQL = random.chance(50) ? "boardID = \(board)" : "cardID = NULL"
      try SQL("UPDATE notes SET \(change) WHERE cardID = \(id)").run(writer)
    }
    try SQL("UPDATE cards SET boardID = \(board) WHERE id = \(id)").run(writer)
    say("move cards/\(id) from \(from) to \(board)")
  }

  mutating func replaceCard(_ writer: Writer) throws {
    guard let id = try pick("cards", writer, where: "substr(id, 1, 1) <> \(Card.tokenPrefix)"),
      let old = try SQL("SELECT boardID FROM cards WHERE id = \(id)").first(writer, as: String.self)
    else { return }
    let elsewhere = random.chance(habits.carelessness) ? try pick("boards", writer) : nil
    let board = elsewhere ?? old
    if elsewhere != nil {
      try SQL("UPDATE notes SET cardID = NULL WHERE cardID = \(id)").run(writer)
    }
    try end("cards", id, writer)
    try SQL("DELETE FROM cards WHERE id = \(id)").run(writer)
    try insertCard(id, in: board, writer)
    say("replace cards/\(id) in \(board)")
  }
}
