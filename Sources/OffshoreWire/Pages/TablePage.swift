/// Rows of one table, stored by column, which is the fastest form to encode and to bind.
///
/// The values of row 7 are at index 7 of each column. The keys of compound columns and the versions
/// of fields, which only some rows have, are separate arrays in the order of the rows.
package struct TablePage: Hashable, Sendable {
  /// The properties that every row has.
  package struct Head: Hashable, Sendable {
    /// The row's id.
    package let id: String
    /// The number of its last change.
    package let seq: Int64
    /// The generation of the row.
    package let generation: Int64
    /// Whether the row exists, or why it does not.
    package let presence: RowState.Presence
    /// The version of each field that has none of its own.
    package let stamp: Stamp
  }

  /// The values of one column.
  package struct Column: Hashable, Sendable {
    /// The name of the column.
    package let name: String
    /// A value for each row, or `nil` if the row does not have the column.
    package internal(set) var values: [WireValue?]
  }

  /// A key of a compound column in one row.
  package struct Part: Hashable, Sendable {
    /// The index of the row.
    package let row: Int
    /// The name of the field, as the text of a ``FieldName``.
    package let field: String
    /// The value.
    package let value: WireValue
    /// The version, or `nil` if it is the row's stamp.
    package let version: Stamp?
  }

  /// The version of a column's value in one row, if it differs from the row's stamp.
  package struct Version: Hashable, Sendable {
    /// The index of the row.
    package let row: Int
    /// The index of the column.
    package let column: Int
    /// The version.
    package let stamp: Stamp
  }

  /// The name of the table.
  package let table: String
  /// The properties that every row has.
  package internal(set) var heads: [Head] = []
  /// The columns that at least one row has.
  package internal(set) var columns: [Column] = []
  /// The keys of compound columns, by row and then by name.
  package internal(set) var parts: [Part] = []
  /// The versions of values, by row and then by column.
  package internal(set) var versions: [Version] = []

  private var columnIndices: [String: Int] = [:]

  /// Creates a page without rows.
  package init(table: String) { self.table = table }

  /// The number of rows.
  package var count: Int { heads.count }

  // MARK: - Rows

  /// Adds a row of the table.
  package mutating func append(_ stored: StoredRow) {
    let row = heads.count
    let head = stored.head
    heads.append(
      Head(
        id: stored.row.id, seq: stored.seq, generation: head.generation, presence: head.presence,
        stamp: head.stamp))
    // Most rows have the same columns, sorted by name.
    var next = 0
    for field in stored.fields {
      guard let index = index(ofColumn: field.name, expected: next) else {
        add(field, to: row)
        continue
      }
      next = index + 1
      columns[index].values.append(field.value)
    }
    for index in columns.indices where columns[index].values.count == row {
      columns[index].values.append(nil)
    }
    if stored.versionCount > 0 { appendVersions(of: stored.fields, to: row) }
  }

  private func index(ofColumn name: String, expected index: Int) -> Int? {
    index < columns.count && columns[index].name == name ? index : columnIndices[name]
  }

  /// Adds a key, or a column that no earlier row had.
  private mutating func add(_ field: StoredRow.Field, to row: Int) {
    if FieldName.isKey(field.name) {
      parts.append(
        Part(row: row, field: field.name, value: field.value, version: field.version))
    } else {
      addColumn(
        Column(name: field.name, values: Array(repeating: nil, count: row) + [field.value]))
    }
  }

  private mutating func appendVersions(of fields: [StoredRow.Field], to row: Int) {
    let known = fields.compactMap { field in
      field.version.flatMap { stamp in
        columnIndices[field.name].map { Version(row: row, column: $0, stamp: stamp) }
      }
    }
    versions += known.sorted { $0.column < $1.column }
  }

  mutating func addColumn(_ column: Column) {
    columnIndices[column.name] = columns.count
    columns.append(column)
  }

  /// The rows, in the order in which they were added.
  package var rows: [SyncedRow] {
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

/// The encoding has the table, then the rows by column: ids, numbers, generations, presences,
/// stamps, values.
///
/// Repeated values need few bytes: numbers are encoded as differences, kinds and presences as runs,
/// and each device once.
///
/// NB: Heads are accessed by their indices, because a loop over them copies each with its id.
extension TablePage: WireCodable {
  package static var leastByteCount: Int { 10 }

  package func encode(into writer: inout WireWriter) {
    writer.text(table)
    writer.count(count)
    for row in heads.indices { writer.text(heads[row].id) }
    encodeNumbers(into: &writer)
    writer.runs(heads.indices.lazy.map { heads[$0].presence.rawValue })
    var stamps = StampWriter()
    addDevices(to: &stamps)
    writer.list(stamps.devices)
    for row in heads.indices { stamps.write(heads[row].stamp, to: &writer) }
    writer.count(columns.count)
    for column in columns { column.encode(into: &writer) }
    encodeParts(&stamps, into: &writer)
    encodeVersions(&stamps, into: &writer)
  }

  /// Encodes numbers and generations, each as the difference from the row before.
  private func encodeNumbers(into writer: inout WireWriter) {
    // NB: An invalid number may wrap around. It is refused when it is parsed.
    var last: Int64 = 0
    for row in heads.indices {
      writer.signed(heads[row].seq &- last)
      last = heads[row].seq
    }
    last = 0
    for row in heads.indices {
      writer.signed(heads[row].generation &- last)
      last = heads[row].generation
    }
  }

  private func addDevices(to stamps: inout StampWriter) {
    for row in heads.indices { stamps.addDevice(of: heads[row].stamp) }
    for part in parts {
      if let version = part.version { stamps.addDevice(of: version) }
    }
    for version in versions { stamps.addDevice(of: version.stamp) }
  }

  private func encodeParts(_ stamps: inout StampWriter, into writer: inout WireWriter) {
    writer.count(parts.count)
    var row = 0
    for part in parts {
      writer.count(part.row - row)
      row = part.row
      writer.text(part.field)
      writer.flag(part.version != nil)
      if let version = part.version { stamps.write(version, to: &writer) }
      part.value.encode(into: &writer)
    }
  }

  private func encodeVersions(_ stamps: inout StampWriter, into writer: inout WireWriter) {
    writer.count(versions.count)
    var row = 0
    for version in versions {
      writer.count(version.row - row)
      row = version.row
      writer.count(version.column)
      stamps.write(version.stamp, to: &writer)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self = try TablePageParser(from: &reader).page
  }
}

/// The encoding has the name, the kinds of values as runs, then the contents of the values.
extension TablePage.Column {
  /// The tag of a row that does not have the column.
  private static let missing: UInt8 = 0

  func encode(into writer: inout WireWriter) {
    writer.text(name)
    writer.runs(values.lazy.map { $0?.tag.rawValue ?? Self.missing })
    for value in values { value?.encodeContent(into: &writer) }
  }

  /// Parses a column with a known number of rows.
  init(rowCount: Int, from reader: inout WireReader) throws(WireError) {
    name = try reader.name()
    guard !FieldName.isKey(name) else { throw reader.malformed("A column is named like a key.") }
    var runs: [(tag: UInt8, count: Int)] = []
    try reader.runs(rowCount) { (tag, count, _) throws(WireError) in runs.append((tag, count)) }
    guard runs.contains(where: { $0.tag != Self.missing }) else {
      throw reader.malformed("A column has no value in any row.")
    }
    values = []
    values.reserveCapacity(rowCount)
    for run in runs { try append(run.tag, run.count, from: &reader) }
  }

  private mutating func append(
    _ tag: UInt8, _ count: Int, from reader: inout WireReader
  ) throws(WireError) {
    guard tag != Self.missing else {
      return values.append(contentsOf: repeatElement(nil, count: count))
    }
    guard let tag = WireValue.Tag(rawValue: tag) else {
      throw reader.malformed("A column has values of no known kind.")
    }
    for _ in 0..<count { values.append(try WireValue(tag, from: &reader)) }
  }
}
