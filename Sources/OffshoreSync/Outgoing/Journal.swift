import Offshore
import OffshoreWire

/// The journal of captured changes, and the rows that they changed.
struct Journal {
  let reader: Reader
  let layout: CaptureLayout
  let schema: SyncSchema

  /// Returns the entries that a condition selects, by row and in order.
  func entries(where condition: SQL) throws -> [JournalKey: [JournalEntry]] {
    let columns = (0..<layout.width).map { ", \(JournalRow.column(of: $0))" }.joined()
    var entries: [JournalKey: [JournalEntry]] = [:]
    let sql: SQL = """
      SELECT \(columns: JournalRow.self)\(SQL(raw: columns)) FROM _outbox
      WHERE \(condition) ORDER BY seq
      """
    let rows = try reader.connection.fetch(sql) { try entry(&$0) }
    for (key, entry) in rows { entries[key, default: []].append(entry) }
    return entries
  }

  private func entry(_ row: inout RowReader) throws -> (JournalKey, JournalEntry) {
    let (number, transaction) = (try row.value(Int64.self), try row.value(Int64.self))
    let table = try row.value(Int.self)
    let id = try row.value(StoredValue.self).value
    let kind = CaptureTriggers.Kind(rawValue: try row.value(Int64.self))
    let mask = try row.value(Int64.self)
    guard let kind, layout.tables.indices.contains(table) else {
      throw ReplicaError(.damaged, "“_outbox” is not readable. Restore the file from a backup.")
    }
    var entry = JournalEntry(number: number, transaction: transaction, kind: kind)
    for (place, column) in layout.tables[table].columns.enumerated() where mask >> place != 0 {
      let value = try row.value(StoredValue.self).value
      if mask >> place & 1 == 1 { entry.old[column] = value }
    }
    return (JournalKey(table: table, id: id), entry)
  }

  /// Returns the current values of a table's rows, by id and by the names of the columns in messages.
  /// - Parameter ids: a query of the ids.
  func rows(_ table: SyncTable, in ids: SQL) throws -> [WireValue: [String: WireValue]] {
    let columns = table.valueColumns
    let list = columns.reduce("" as SQL) { "\($0), \(identifier: $1.name)" }
    let key: SQL = "\(identifier: table.idColumn)"
    let rows = try reader.connection.fetch(
      "SELECT \(key)\(list) FROM \(identifier: table.name) WHERE \(key) IN (\(ids))"
    ) { row in
      let id = try row.value(StoredValue.self).value
      var values: [String: WireValue] = [:]
      for column in columns { values[column.sent] = try row.value(StoredValue.self).value }
      return (id, values)
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the stored versions of a table's rows, by id and scope.
  /// - Parameter ids: a query of the ids.
  func versions(_ table: SyncTable, in ids: SQL) throws -> [String: [ScopeID: RowVersion]] {
    var versions: [String: [ScopeID: RowVersion]] = [:]
    let rows = try reader.connection.fetch(
      "SELECT id, scope, state FROM _row WHERE tbl = \(table.sentName) AND id IN (\(ids))"
    ) { row in
      (
        try row.value(String.self), try row.value(String.self),
        try row.value(StoredValue.self).value
      )
    }
    for (id, scope, state) in rows {
      guard case .blob(let bytes) = state else { continue }
      versions[id, default: [:]][try ScopeID(scope)] = try RowVersion(decoding: bytes)
    }
    return versions
  }
}

/// One captured change of one row.
struct JournalEntry: Hashable {
  let number: Int64
  /// The number of the transaction.
  let transaction: Int64
  let kind: CaptureTriggers.Kind
  /// The values of the changed columns before the change, or of all columns for a deletion.
  var old: [String: WireValue] = [:]
}

/// The identity of a row in the journal. Its id may be invalid, so that the row cannot be sent.
struct JournalKey: Hashable {
  /// The number of the table in the ``CaptureLayout``.
  let table: Int
  let id: WireValue
}
