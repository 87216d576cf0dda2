import Foundation
import OffshoreServer
import OffshoreWire

/// The content of the server's file after all processes have ended.
struct ServerFile {
  static let boards = ["b1", "b2", "b3"]

  /// The rows by board.
  let contents: [String: BoardContent]
  /// The boards that each account may read.
  let readable: [Set<String>]
  /// The boards whose stored digest differs from the sum of their rows.
  let unsound: [String]

  init(_ log: SQLiteStorage, _ manifest: Manifest) async throws {
    self = try await log.read { try ServerFile($0, manifest) }
  }

  private init(_ log: some StorageTransaction, _ manifest: Manifest) throws {
    var (contents, unsound) = ([String: BoardContent](), [String]())
    for board in Self.boards {
      let scope = try Fleet.scope(board)
      let rows = try log.rows(in: scope, after: 0, limit: .max)
      contents[board] = Self.content(of: rows, manifest)
      var digest = Digest()
      for row in rows { digest.add(row.state, of: row.row) }
      if try log.scope(scope).digest != digest { unsound.append(board) }
    }
    self.contents = contents
    self.unsound = unsound
    readable = try (0..<3).map { account in
      Set(
        try Self.boards.filter { board in
          try log.grant(of: Fleet.account(account), in: Fleet.scope(board))?.role.canRead == true
        })
    }
  }

  /// The cards of all boards. A card in two boards has two values.
  var cards: [String: [CardFace]] {
    contents.values.flatMap(\.cards).reduce(into: [:]) { $0[$1.key, default: []].append($1.value) }
  }

  private static func content(of rows: [SyncedRow], _ manifest: Manifest) -> BoardContent {
    var content = BoardContent()
    for row in rows where row.state.isLiving {
      let id = row.row.id
      var values: [String: WireValue] = [:]
      for column in manifest[row.row.table]?.columns ?? [] {
        values[column.name] = column.value(of: row.state.fields) ?? .null
      }
      switch row.row.table {
      case "boards": content.boards.insert(id)
      case "cards":
        content.cards[id] = CardFace(
          board: text(values["boardID"]), text: text(values["text"]),
          votes: number(values["votes"]), marks: text(values["marks"]))
      case MemberRow.table: break
      default:
        content.ties[id] =
          "\(text(values["boardID"])) \(text(values["groupID"])) \(number(values["size"]))"
      }
    }
    return content
  }

  private static func text(_ value: WireValue?) -> String {
    if case .text(let bytes)? = value { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  private static func number(_ value: WireValue?) -> Int64 {
    if case .integer(let number)? = value { number } else { 0 }
  }
}
