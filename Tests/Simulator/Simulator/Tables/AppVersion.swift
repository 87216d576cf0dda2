import Offshore
import OffshoreSync
import OffshoreWire

/// A version of the app: its tables, and their synced columns.
struct AppVersion: Sendable {
  let number: Int
  let schema: SyncSchema
  let replica: Replica

  /// The tables with their synced columns, without the id.
  let tables: [(name: String, columns: [SyncedColumn])]

  /// Creates a version.
  /// - Throws: `ReplicaError` if the schema is not valid.
  init(_ number: Int) throws {
    self.number = number
    let schema = try Self.schema(number)
    self.schema = schema
    replica = try Replica(schema, rules: Self.rules)
    tables = schema.tables.map { table in
      (table.name, schema.manifest[table.name]?.columns ?? [])
    }
  }

  /// Chooses the longer text, or the later one in byte order if both have the same length.
  static let rules = MergeRules([
    "longest": { edit in
      let (left, right) = (edit.current, edit.incoming)
      if left.byteCount != right.byteCount {
        return left.byteCount > right.byteCount ? left : right
      }
      return left.isOrdered(before: right) ? right : left
    }
  ])

  /// The initial file of the version's devices.
  var template: FileTemplate {
    FileTemplate(name: "boards-\(number)", creation: creation, replica: replica)
  }

  /// The statements that create the tables.
  private var creation: [SQL] {
    let first = [
      Board.creation, Card.creation, FirstNote.creation, Seat.creation, Tie.creation, Memo.creation,
      Letter.creation,
    ]
    return number == 1 ? first : first + [Note.migration]
  }

  private static func schema(_ number: Int) throws -> SyncSchema {
    let notes =
      number == 1
      ? SyncTable(FirstNote.self, scope: .kind("board", \.boardID))
      : SyncTable(Note.self, scope: .kind("board", \.boardID))
    return try SyncSchema(
      version: number,
      tables: [
        SyncTable(
          Board.self, scope: .kind("board", \.id),
          .merged(\.views, .counter), .merged(\.state, .ordered(Board.states))),
        cards, notes,
        SyncTable(
          Seat.self, scope: .kind("board", \.boardID), idSource: [\.boardID, \.number]),
        SyncTable(Tie.self, scope: .kind("board", \.boardID)),
        SyncTable(Memo.self, scope: .kind("person", \.ownerID), .merged(\.count, .counter)),
        SyncTable(
          Letter.self, scope: .kind("board", \.boardID), writers: .author(\.authorID),
          keepsRefused: true),
      ])
  }

  private static var cards: SyncTable {
    SyncTable(
      Card.self, scope: .kind("board", \.boardID), .merged(\.note, .serverOrder),
      .merged(\.most, .max), .merged(\.least, .min), .merged(\.votes, .counter),
      .merged(\.tags, .set), .merged(\.items, .keyed),
      .merged(\.stage, .ordered(Card.stages)), .merged(\.longest, .rule("longest")),
      .local(\.isOpen))
  }
}
