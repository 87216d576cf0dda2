import Foundation
import Offshore
import OffshoreWire

/// A card as somebody sees it.
struct CardFace: Hashable, CustomStringConvertible {
  let board: String
  let text: String
  let votes: Int64
  /// The keys in order: a device keeps the spelling of its own edits.
  let marks: WireValue

  init(board: String, text: String, votes: Int64, marks: String) {
    (self.board, self.text, self.votes) = (board, text, votes)
    self.marks = CompoundValue(WireValue(marks), .object).value
  }

  var description: String { "[\(board) \(text) \(votes) \(marks)]" }

  /// What is written under a key.
  func mark(_ key: String) -> Int64? {
    guard case .text(let bytes)? = CompoundValue(marks, .object).parts[key] else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }
}

/// What a scope shows.
struct BoardContent: Hashable {
  var boards: Set<String> = []
  var cards: [String: CardFace] = [:]
  /// The ids of ties, each with its group and the group's size.
  var ties: [String: String] = [:]
}

/// What a device has in its file when all has ended.
struct DeviceFile {
  /// A part of a write of this device.
  struct Entry: Hashable {
    let number: Int64
    let kind: String
    let row: String
    let value: String
    /// What the clock of the device showed.
    let clock: Data

    var line: String { "\(number) \(kind) \(row) \(value)" }
  }

  let name: String
  let content: BoardContent
  let ledger: [Entry]
  /// What was set aside, by row, in order; `nil` for what could not be made into an edit.
  let dead: [String: [Op?]]
  /// The scopes of rows that are kept in whatever table.
  let keptScopes: Set<String>
  let integrity: [String]

  init(_ path: String, name: String) async throws {
    let database = try Database(path)
    self = try await database.read { try DeviceFile($0, name) }
    await database.close()
  }

  private init(_ reader: Reader, _ name: String) throws {
    self.name = name
    content = try Self.content(reader)
    ledger = try SQL("SELECT number, kind, row, value, clock FROM ledger ORDER BY number")
      .all(reader, as: Int64.self, String.self, String.self, String.self, Data.self)
      .map { Entry(number: $0, kind: $1, row: $2, value: $3, clock: $4) }
    dead = try Self.dead(reader)
    keptScopes = Set(
      try SQL(
        "SELECT scope FROM _row UNION SELECT scope FROM _shadow UNION SELECT scope FROM _page"
      )
      .all(reader, as: String.self))
    integrity = try SQL("PRAGMA integrity_check").all(reader, as: String.self)
  }

  private static func content(_ reader: Reader) throws -> BoardContent {
    var content = BoardContent()
    content.boards = Set(try SQL("SELECT id FROM boards").all(reader, as: String.self))
    let cards = try SQL("SELECT id, boardID, text, votes, marks FROM cards")
      .all(reader, as: String.self, String.self, String.self, Int64.self, String.self)
    for (id, board, text, votes, marks) in cards {
      content.cards[id] = CardFace(board: board, text: text, votes: votes, marks: marks)
    }
    let ties = try SQL("SELECT id, boardID || ' ' || groupID || ' ' || size FROM ties")
      .all(reader, as: String.self, String.self)
    for (id, tie) in ties { content.ties[id] = tie }
    return content
  }

  private static func dead(_ reader: Reader) throws -> [String: [Op?]] {
    let letters = try SQL("SELECT id, op FROM _dead WHERE code <> 'collision' ORDER BY number")
      .all(reader, as: String.self, Data?.self)
    var dead: [String: [Op?]] = [:]
    for (id, op) in letters {
      dead[id, default: []].append(try op.map { try Op(decoding: Array($0)) })
    }
    return dead
  }

  // MARK: - Questions

  /// Whether anything of a row was set aside that could not be made into an edit.
  func hasLostTrack(of row: String) -> Bool { dead[row]?.contains { $0 == nil } == true }

  /// Whether an edit of a row was set aside that meets a condition, or nobody knows.
  func hasDead(_ row: String, where isMeant: (Op) -> Bool) -> Bool {
    dead[row]?.contains { $0.map(isMeant) ?? true } == true
  }

  /// Whether the text that a write of this device has set was set aside, alone or with one of the
  /// writes after it that were sent along with it.
  func hasDeadText(of write: Entry) -> Bool {
    ledger.contains { last in
      ["insert", "text"].contains(last.kind) && last.row == write.row
        && last.number >= write.number && last.clock == write.clock
        && hasDead(write.row) { $0.fields["text"] == WireValue(last.value) }
    } || hasDeadDeletion(with: write)
  }

  /// Whether a row was deleted together with a write of it, and that was set aside.
  func hasDeadDeletion(with write: Entry) -> Bool {
    ledger.contains { last in
      last.kind == "delete" && last.row == write.row && last.number > write.number
        && last.clock == write.clock
    } && hasDead(write.row) { $0.kind == .delete }
  }

  /// What this device has added to the counter of a row and not set aside.
  func votes(for row: String) -> Int64 {
    let written = ledger.filter { $0.kind == "count" && $0.row == row }
      .reduce(0) { $0 + (Int64($1.value) ?? 0) }
    let refused = (dead[row] ?? []).reduce(Int64(0)) { sum, op in
      guard let op, op.kind == .put || op.kind == .increment,
        case .integer(let count)? = op.fields["votes"]
      else { return sum }
      return sum + count
    }
    return written - refused
  }
}
