/// Rows of one table, stored by column, which is the fastest form to encode and to bind.
///
/// The values of row 7 are at index 7 of each column. The keys of compound columns and the versions
/// of fields, which only some rows have, are separate arrays in the order of the rows.
public struct TablePage: Hashable, Sendable {
  /// The properties that every row has.
  public struct Head: Hashable, Sendable {
    /// The row's id.
    public let id: String
    /// The number of its last change.
    public let seq: Int64
    /// The generation of the row.
    public let generation: Int64
    /// Whether the row exists, or why it does not.
    public let presence: RowState.Presence
    /// The version of each field that has none of its own.
    public let stamp: Stamp
  }

  /// The values of one column.
  public struct Column: Hashable, Sendable {
    /// The name of the column.
    public let name: String
    /// A value for each row, or `nil` if the row does not have the column.
    public internal(set) var values: [WireValue?]
  }

  /// A key of a compound column in one row.
  public struct Part: Hashable, Sendable {
    /// The index of the row.
    public let row: Int
    /// The name of the field, as the text of a ``FieldName``.
    public let field: String
    /// The value.
    public let value: WireValue
    /// The version, or `nil` if it is the row's stamp.
    public let version: Stamp?
  }

  /// The version of a column's value in one row, if it differs from the row's stamp.
  public struct Version: Hashable, Sendable {
    /// The index of the row.
    public let row: Int
    /// The index of the column.
    public let column: Int
    /// The version.
    public let stamp: Stamp
  }

  /// The name of the table.
  public let table: String
  /// The properties that every row has.
  public internal(set) var heads: [Head] = []
  /// The columns that at least one row has.
  public internal(set) var columns: [Column] = []
  /// The keys of compound columns, by row and then by name.
  public internal(set) var parts: [Part] = []
  /// The versions of values, by row and then by column.
  public internal(set) var versions: [Version] = []

  private var places: [String: Int] = [:]

  /// Creates a page without rows.
  public init(table: String) { self.table = table }

  /// The number of rows.
  public var count: Int { heads.count }

  // MARK: - Rows

  /// Adds a row of the table.
  public mutating func append(_ kept: KeptRow) {
    let row = heads.count
    let head = kept.head
    heads.append(
      Head(
        id: kept.row.id, seq: kept.seq, generation: head.generation, presence: head.presence,
        stamp: head.stamp))
    // Most rows have the same columns, sorted by name.
    var next = 0
    for field in kept.fields {
      guard let place = place(of: field.name, probably: next) else {
        add(field, to: row)
        continue
      }
      next = place + 1
      columns[place].values.append(field.value)
    }
    for index in columns.indices where columns[index].values.count == row {
      columns[index].values.append(nil)
    }
    if kept.versionCount > 0 { appendVersions(of: kept.fields, to: row) }
  }

  private func place(of column: String, probably place: Int) -> Int? {
    place < columns.count && columns[place].name == column ? place : places[column]
  }

  /// Adds a key, or a column that no earlier row had.
  private mutating func add(_ field: KeptRow.Field, to row: Int) {
    if FieldName.isKey(field.name) {
      parts.append(
        Part(row: row, field: field.name, value: field.value, version: field.version))
    } else {
      addColumn(
        Column(name: field.name, values: Array(repeating: nil, count: row) + [field.value]))
    }
  }

  private mutating func appendVersions(of fields: [KeptRow.Field], to row: Int) {
    let known = fields.compactMap { field in
      field.version.flatMap { stamp in
        places[field.name].map { Version(row: row, column: $0, stamp: stamp) }
      }
    }
    versions += known.sorted { $0.column < $1.column }
  }

  mutating func addColumn(_ column: Column) {
    places[column.name] = columns.count
    columns.append(column)
  }

  /// The rows, in the order in which they were added.
  public var rows: [SyncedRow] {
    var parts = parts[...]
    var versions = versions[...]
    return heads.indices.map { row in
      var state = state(row)
      while let part = parts.first, part.row == row {
        state.fields[part.field] = part.value
        state.versions[part.field] = part.version
        parts = parts.dropFirst()
      }
      while let version = versions.first, version.row == row {
        state.versions[columns[version.column].name] = version.stamp
        versions = versions.dropFirst()
      }
      return SyncedRow(RowID(table: table, id: heads[row].id), seq: heads[row].seq, state: state)
    }
  }

  private func state(_ row: Int) -> RowState {
    let head = heads[row]
    var state = RowState(
      generation: head.generation, presence: head.presence, stamp: head.stamp)
    for column in columns {
      if let value = column.values[row] { state.fields[column.name] = value }
    }
    return state
  }
}
