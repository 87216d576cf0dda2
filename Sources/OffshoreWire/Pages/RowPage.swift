/// Rows of a scope, table by table.
public struct RowPage: Sendable {
  /// The tables that have rows, in the order of their first.
  public private(set) var tables: [TablePage] = []
  /// The bytes that the rows were read from, to be written again as they are.
  var source: [UInt8]?

  /// Begins a page without rows.
  public init() {}

  /// Takes rows, in the order in which they are to be in their tables.
  public init(_ rows: [SyncedRow]) {
    for row in rows { append(row) }
  }

  /// How many rows there are.
  public var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// The rows one by one, table by table.
  public var rows: [SyncedRow] { tables.flatMap(\.rows) }

  /// Adds a row.
  public mutating func append(_ row: SyncedRow) { append(KeptRow(row)) }

  /// Adds a row as a log keeps it.
  public mutating func append(_ row: KeptRow) {
    source = nil
    var index = tables.firstIndex { $0.table == row.row.table }
    if index == nil {
      tables.append(TablePage(table: row.row.table))
      index = tables.count - 1
    }
    if let index { tables[index].append(row) }
  }
}

/// Pages are equal when their rows are, wherever those come from.
extension RowPage: Hashable {
  public static func == (one: RowPage, other: RowPage) -> Bool { one.tables == other.tables }

  public func hash(into hasher: inout Hasher) { hasher.combine(tables) }
}

/// The tables.
extension RowPage: WireCodable {
  public func encode(into writer: inout WireWriter) {
    if let source { writer.raw(source) } else { writer.list(tables) }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    let start = reader.offset
    tables = try reader.list()
    source = reader.bytes(since: start)
    guard Set(tables.map(\.table)).count == tables.count else {
      throw reader.malformed("A table stands twice in a page.")
    }
  }
}
