import Offshore
import OffshoreSync
import OffshoreWire

/// A version of the app: its tables, and what is synced of them.
struct AppVersion: Sendable {
  let number: Int
  let schema: SyncSchema
  let replica: Replica

  /// The tables with the columns that others see, the id aside.
  let tables: [(name: String, columns: [SyncedColumn])]

  /// Makes a version.
  /// - Throws: `SyncError` where the tables contradict themselves.
  init(_ number: Int) throws {
    self.number = number
    let schema = try Self.schema(number)
    self.schema = schema
    replica = try Replica(schema, rules: Self.rules)
    tables = schema.tables.map { table in
      (table.name, schema.manifest[table.name]?.columns ?? [])
    }
  }

  /// The longer text stays, and of two as long the one that comes later in the order of bytes.
  static let rules = MergeRules([
    "longest": { edit in
      let (left, right) = (edit.current, edit.incoming)
      if left.byteCount != right.byteCount {
        return left.byteCount > right.byteCount ? left : right
      }
      return left.isOrdered(before: right) ? right : left
    }
  ])

  /// The file that its devices begin with.
  var template: FileTemplate {
    FileTemplate(name: "boards-\(number)", creation: creation, replica: replica)
  }

  /// The statements that make the tables.
  private var creation: [SQL] {
    let first = [
      Board.creation, Card.creation, FirstNote.creation, Seat.creation, Tie.creation, Memo.creation,
    ]
    return number == 1 ? first : first + [Note.migration]
  }

  private static func schema(_ number: Int) throws -> SyncSchema {
    let notes =
      number == 1
      ? SyncTable(FirstNote.self, scopeKind: "board", scopeColumn: "boardID")
      : SyncTable(Note.self, scopeKind: "board", scopeColumn: "boardID")
    return try SyncSchema(
      version: number,
      tables: [
        SyncTable(
          Board.self, scopeKind: "board", scopeColumn: "id",
          columns: ["views": .merged(.counter), "state": .merged(.ordered(Board.states))]),
        cards, notes,
        SyncTable(
          Seat.self, scopeKind: "board", scopeColumn: "boardID", idSource: ["boardID", "number"]),
        SyncTable(Tie.self, scopeKind: "board", scopeColumn: "boardID"),
        SyncTable(
          Memo.self, scopeKind: "person", scopeColumn: "ownerID",
          columns: ["count": .merged(.counter)]),
      ])
  }

  private static var cards: SyncTable {
    SyncTable(
      Card.self, scopeKind: "board", scopeColumn: "boardID",
      columns: [
        "note": .merged(.serverOrder), "most": .merged(.max), "least": .merged(.min),
        "votes": .merged(.counter), "tags": .merged(.set), "items": .merged(.keyed),
        "stage": .merged(.ordered(Card.stages)), "longest": .merged(.rule("longest")),
        "isOpen": .local,
      ])
  }
}
