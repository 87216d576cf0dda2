/// Rows of a scope, grouped by table.
public struct RowPage: Sendable {
  /// The tables that have rows, in the order of their first row.
  package private(set) var tables: [TablePage] = []
  /// The bytes that the rows were parsed from, which are encoded again unchanged.
  var source: [UInt8]?

  /// Creates a page without rows.
  public init() {}

  /// Creates a page of rows, which retain their order within each table.
  public init(_ rows: [SyncedRow]) {
    for row in rows { append(row) }
  }

  /// Whether a row of the page has moved to another scope.
  package var hasMovedRow: Bool {
    tables.contains { $0.heads.contains { $0.presence == .moved } }
  }

  /// The names of the rows, table by table.
  package var ids: [RowID] {
    tables.flatMap { table in table.heads.map { RowID(table: table.table, id: $0.id) } }
  }

  /// The number of rows.
  package var count: Int { tables.reduce(0) { $0 + $1.count } }

  /// The rows, table by table.
  public var rows: [SyncedRow] { tables.flatMap(\.rows) }

  /// Adds a row.
  package mutating func append(_ row: SyncedRow) { append(StoredRow(row)) }

  /// Adds a row as a log stores it.
  package mutating func append(_ row: StoredRow) {
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
  /// Returns the encoding of the page alone, as it is in a ``PullResponse``.
  public func encoded() -> [UInt8] { WireWriter.bytes(of: self) }

  /// Parses the encoding of a page alone.
  /// - Throws: `WireError` if ``encoded()`` would not return these bytes.
  public init(decoding bytes: [UInt8]) throws(WireError) { self = try WireReader.value(of: bytes) }

  package func encode(into writer: inout WireWriter) {
    if let source { writer.raw(source) } else { writer.list(tables) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let start = reader.offset
    tables = try reader.list()
    source = reader.bytes(since: start)
    guard Set(tables.map(\.table)).count == tables.count else {
      throw reader.malformed("A table stands twice in a page.")
    }
  }
}

/// A row as a server sends it: its state, and the number of its last change.
public struct SyncedRow: Hashable, Sendable {
  /// The row.
  public let row: RowID
  /// The number of the row's last change. Each change in a scope has its own number.
  public let seq: Int64
  /// The state of the row.
  public let state: RowState

  /// Creates a row.
  public init(_ row: RowID, seq: Int64, state: RowState) {
    self.row = row
    self.seq = seq
    self.state = state
  }
}

/// The encoding has the row's id, the number, then the state.
extension SyncedRow: WireCodable {
  package static var leastByteCount: Int { RowID.leastByteCount + 1 + RowState.leastByteCount }

  package func encode(into writer: inout WireWriter) {
    row.encode(into: &writer)
    writer.signed(seq)
    state.encode(into: &writer)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      try RowID(from: &reader), seq: try reader.ordinal(), state: try RowState(from: &reader))
  }
}

/// A row as a log stores it: a ``SyncedRow`` whose fields are an array, sorted by name.
///
/// Pages are created from such rows. Dictionaries of the fields would take longer to create than
/// everything else.
package struct StoredRow: Hashable, Sendable {
  /// A field, with its version if that differs from the row's stamp.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: WireValue
    package let version: Stamp?
  }

  /// The row.
  package let row: RowID
  /// The number of the row's last change.
  package let seq: Int64
  let head: RowState.Head
  /// The fields, sorted by name.
  package private(set) var fields: [Field] = []
  /// The number of fields with a version of their own.
  package private(set) var versionCount = 0

  /// Parses the state of a row.
  /// - Parameters:
  ///   - row: the row.
  ///   - seq: the number of its last change.
  ///   - state: an encoded ``RowState``.
  /// - Throws: ``WireError`` if the bytes are not an encoded state.
  package init(_ row: RowID, seq: Int64, state: [UInt8]) throws(WireError) {
    self.row = row
    self.seq = seq
    var reader = WireReader(state)
    var (fields, versionCount) = ([Field](), 0)
    head = try RowState.parse(from: &reader) { count in
      fields.reserveCapacity(count)
    } field: { name, version, value in
      fields.append(Field(name: name, value: value, version: version))
      if version != nil { versionCount += 1 }
    }
    try reader.finish()
    (self.fields, self.versionCount) = (fields, versionCount)
  }

  /// Whether the row exists, rather than its tombstone.
  package var isLiving: Bool { head.presence == .living }

  /// Creates the row from a synced one.
  package init(_ row: SyncedRow) {
    let state = row.state
    self.row = row.row
    seq = row.seq
    head = RowState.Head(
      generation: state.generation, presence: state.presence, stamp: state.stamp)
    fields = state.fields.sorted { $0.key < $1.key }.map {
      Field(name: $0.key, value: $0.value, version: state.versions[$0.key])
    }
    versionCount = fields.count { $0.version != nil }
  }

  /// The row with its fields in a dictionary.
  package var syncedRow: SyncedRow {
    var state = RowState(
      generation: head.generation, presence: head.presence, stamp: head.stamp)
    state.fields.reserveCapacity(fields.count)
    for field in fields {
      state.fields[field.name] = field.value
      if let version = field.version { state.versions[field.name] = version }
    }
    return SyncedRow(row, seq: seq, state: state)
  }
}
