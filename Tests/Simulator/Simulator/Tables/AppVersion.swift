import Offshore
import OffshoreSync
import OffshoreWire

/// A version of the app: its tables, and their synced columns.
struct AppVersion: Sendable {
  let number: Int
  /// Whether the app has photos.
  let hasFiles: Bool
  let schema: SyncSchema
  let replica: Replica

  /// A table of the version.
  struct Table {
    /// The name in messages.
    let name: String
    /// The name in the database.
    let localName: String
    /// The synced columns, without the id.
    let columns: [SyncedColumn]
  }

  let tables: [Table]

  /// Creates a version.
  /// - Parameter attempts: the number of times that a forbidden change is sent.
  /// - Throws: `ReplicaError` if the schema is not valid.
  init(_ number: Int, hasFiles: Bool = false, attempts: Int = 1) throws {
    (self.number, self.hasFiles) = (number, hasFiles)
    let schema = try Self.schema(number, hasFiles: hasFiles)
    self.schema = schema
    replica = try Replica(
      schema, rules: Self.rules, attemptLimits: [.forbidden: attempts])
    tables = schema.manifest.tables.filter { !$0.isRetired }.map { table in
      Table(
        name: table.name, localName: table.presentName,
        columns: table.columns.filter { !$0.isRetired })
    }
  }

  /// Returns the table with a name in messages.
  func table(_ name: String) -> Table? { tables.first { $0.name == name } }

  /// Returns whether a table has a column. Both names are those of messages.
  func hasColumn(_ column: String, of table: String) -> Bool {
    self.table(table)?.columns.contains { $0.name == column } == true
  }

  /// Returns the default of a column, for rows without a value that the column can store.
  ///
  /// NB: Declared a second time, without the product's code. Both names are those of messages.
  func initial(_ column: String, of table: String) -> WireValue? {
    switch "\(table).\(column)" {
    case "marks.state": "lit"
    case "pins.size": number == 1 ? 1 : nil
    case "pins.depth": number == 2 ? 3 : 5
    default: nil
    }
  }

  /// Returns the name of a table in the database.
  func localName(of table: String) -> String { self.table(table)?.localName ?? table }

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
    let name = "boards-\(number)\(hasFiles ? "-files" : "")"
    return FileTemplate(name: name, creation: creation, replica: replica)
  }

  /// The migration that creates the tables in an erased file.
  var base: Migration {
    Migration("base\(number)") { [creation] writer in for sql in creation { try sql.run(writer) } }
  }

  /// The declaration of a file, for its erasure.
  var store: StoreSchema {
    StoreSchema(migrations: Migrations([base]), sync: schema, rules: Self.rules)
  }

  /// The statements that create the tables.
  private var creation: [SQL] {
    var first = [
      Board.creation, Card.creation, FirstNote.creation, Seat.creation, Tie.creation, Memo.creation,
      Letter.creation, Notice.creation, Pick.creation, Ban.creation, FirstMark.creation,
      FirstPin.creation,
    ]
    if hasFiles { first += Photo.creation }
    return (1...number).reduce(first) { $0 + Self.migration(to: $1) }
  }

  /// Returns the statements that migrate a file of the version before.
  static func migration(to number: Int) -> [SQL] {
    switch number {
    case 2: [Note.migration] + SecondMark.migration + SecondPin.migration + [Flag.creation]
    case 3: Sign.migration + Pin.migration + [Flag.removal]
    default: []
    }
  }

  private static func schema(_ number: Int, hasFiles: Bool) throws -> SyncSchema {
    try SyncSchema(
      version: number,
      tables: tables(number) + Pin.tables(number) + Flag.tables(number)
        + (hasFiles ? [photos] : []),
      personalKinds: ["person", "desk"], memberLimits: ["board": 100],
      membershipLimits: ["board": 100], accessRules: [Pick.rule])
  }

  private static func tables(_ number: Int) -> [SyncTable] {
    let notes =
      number == 1
      ? SyncTable(FirstNote.self, scope: .kind("board", \.boardID))
      : SyncTable(Note.self, scope: .kind("board", \.boardID))
    return [
      SyncTable(
        Board.self, scope: .kind("board", \.id),
        .merged(\.views, .counter), .merged(\.state, .ordered(Board.states))),
      cards, notes,
      SyncTable(
        Seat.self, scope: .kind("board", \.boardID), idSource: [\.boardID, \.number]),
      SyncTable(Tie.self, scope: .kind("board", \.boardID)),
      SyncTable(Memo.self, scope: .kind("person", \.ownerID), .merged(\.count, .counter)),
      SyncTable(Pick.self, scope: .kind("desk", \.ownerID)),
      SyncTable(Ban.self, scope: .kind("desk", \.ownerID)),
      SyncTable(
        Letter.self, scope: .kind("board", \.boardID), writers: .author(\.authorID),
        keepsRefused: true),
      SyncTable(Notice.self, scope: .kind("board", \.boardID), writers: .owners),
      number == 1 ? FirstMark.synced : number == 2 ? SecondMark.synced : Sign.synced,
    ]
  }

  private static var photos: SyncTable {
    SyncTable(Photo.self, scope: .kind("board", \.boardID), .file(\.file, fetched: .ahead))
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
