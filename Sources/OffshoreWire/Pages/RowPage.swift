/// Rows of a scope, table by table.
public struct RowPage: Hashable, Sendable {
  /// The tables that have rows, in the order of their first.
  public private(set) var tables: [TablePage] = []

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
  public mutating func append(_ row: SyncedRow) {
    var index = tables.firstIndex { $0.table == row.row.table }
    if index == nil {
      tables.append(TablePage(table: row.row.table))
      index = tables.count - 1
    }
    if let index { tables[index].append(row.row.id, seq: row.seq, row.state) }
  }
}

/// The tables.
extension RowPage: WireCodable {
  public func encode(into writer: inout WireWriter) { writer.list(tables) }

  public init(from reader: inout WireReader) throws(WireError) {
    tables = try reader.list()
    guard Set(tables.map(\.table)).count == tables.count else {
      throw reader.malformed("A table stands twice in a page.")
    }
  }
}
