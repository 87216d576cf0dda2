import Foundation
import Offshore
import OffshoreWire

/// A card with its values as a device shows it or the server stores it.
struct CardFace: Hashable, CustomStringConvertible {
  let board: String
  let text: String
  let votes: Int64
  /// The parsed keys: a device preserves the JSON spelling of its own edits.
  let marks: WireValue

  init(board: String, text: String, votes: Int64, marks: String) {
    (self.board, self.text, self.votes) = (board, text, votes)
    self.marks = CompoundValue(WireValue(marks), .object).value
  }

  var description: String { "[\(board) \(text) \(votes) \(marks)]" }

  /// Returns the number under a key.
  func mark(_ key: String) -> Int64? {
    guard case .text(let bytes)? = CompoundValue(marks, .object).parts[key] else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }
}

/// The rows of one or more boards.
struct BoardContent: Hashable {
  var boards: Set<String> = []
  var cards: [String: CardFace] = [:]
  /// The ids of ties, each with its board, its group and the group's size.
  var ties: [String: String] = [:]
}

/// The content of a device's file after all processes have ended.
struct DeviceFile {
  /// One entry of the device's ledger.
  struct Entry: Hashable {
    let number: Int64
    let kind: String
    let row: String
    let value: String
    /// The device's clock at the time of the write.
    let clock: Data

    var line: String { "\(number) \(kind) \(row) \(value)" }
  }

  let name: String
  let content: BoardContent
  let ledger: [Entry]
  /// The refused changes, by row, in order; `nil` for a change that could not be encoded as an
  /// edit.
  let dead: [String: [Op?]]
  /// The scopes of all stored rows, shadows and staged pages.
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

  // MARK: - Queries

  /// Whether a change to a row was refused that could not be encoded as an edit.
  func hasLostTrack(of row: String) -> Bool { dead[row]?.contains { $0 == nil } == true }

  /// Whether a refused edit of a row meets a condition or could not be encoded.
  func hasDead(_ row: String, where isMeant: (Op) -> Bool) -> Bool {
    dead[row]?.contains { $0.map(isMeant) ?? true } == true
  }

  /// Whether the text that a write has set was refused, alone or with a later write that was sent
  /// with it.
  func hasDeadText(of write: Entry) -> Bool {
    ledger.contains { last in
      ["insert", "text"].contains(last.kind) && last.row == write.row
        && last.number >= write.number && last.clock == write.clock
        && hasDead(write.row) { $0.fields["text"] == WireValue(last.value) }
    } || hasDeadDeletion(with: write)
  }

  /// Whether a row was deleted in the same edit as a write of it, and that edit was refused.
  func hasDeadDeletion(with write: Entry) -> Bool {
    ledger.contains { last in
      last.kind == "delete" && last.row == write.row && last.number > write.number
        && last.clock == write.clock
    } && hasDead(write.row) { $0.kind == .delete }
  }

  /// Returns the sum that this device has added to a row's counter, without refused additions.
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
