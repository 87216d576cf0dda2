/// Rows of a scope, grouped by table.
public struct RowPage: Sendable {
  /// The tables that have rows, in the order of their first row.
  public private(set) var tables: [TablePage] = []
  /// The bytes that the rows were parsed from, which are encoded again unchanged.
  var source: [UInt8]?

  /// Creates a page without rows.
  public init() {}

  /// Creates a page of rows, which retain their order within each table.
  public init(_ rows: [SyncedRow]) {
    for row in rows { append(row) }
  }

  /// The number of rows.
  public var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// The rows, table by table.
  public var rows: [SyncedRow] { tables.flatMap(\.rows) }

  /// Adds a row.
  public mutating func append(_ row: SyncedRow) { append(KeptRow(row)) }

  /// Adds a row as a log stores it.
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

/// Pages are equal if their rows are, whether they were parsed or created.
extension RowPage: Hashable {
  public static func == (one: RowPage, other: RowPage) -> Bool { one.tables == other.tables }

  public func hash(into hasher: inout Hasher) { hasher.combine(tables) }
}

/// The encoding is a list of the tables.
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
