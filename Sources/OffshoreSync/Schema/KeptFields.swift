import Offshore
import OffshoreWire

/// The migration of values from `_row` to the app's tables, for columns that were unknown until
/// now.
struct KeptFields {
  private let former: PreparedSchema
  private let writer: Writer
  private let entries: RowEntries
  private let visible: VisibleRows
  private let journal: Journal
  /// The scopes of rows that a constraint refused.
  private(set) var refused: Set<ScopeID> = []

  init(schema: SyncSchema, former: PreparedSchema, writer: Writer) throws {
    self.former = former
    self.writer = writer
    entries = RowEntries(writer: writer)
    visible = VisibleRows(schema: schema, writer: writer)
    journal = Journal(reader: writer, layout: try CaptureLayout(writer), schema: schema)
  }

  /// The stored version of a row in one scope.
  private struct Kept {
    let row: RowID
    let scope: ScopeID
    var version: RowVersion
    /// Whether the row is hidden, because a constraint refused it or another scope shows a row with
    /// its id.
    let isHidden: Bool
  }

  /// Moves stored values into the new columns of a table.
  mutating func move(into table: SyncedTable) throws {
    let columns = former.columnsNew(in: table)
    let names = Set(columns.map(\.name))
    let changes = try changes(of: table)
    for var kept in try all(in: table) where kept.version.isLiving {
      let fields = kept.version.unknown.filter { names.contains(FieldName($0.key).column) }
      for field in fields.keys { kept.version.unknown[field] = nil }
      // NB: The row's author did not know these columns.
      let missing = columns.filter { $0.value(of: fields) == nil }.map(\.name)
      kept.version.missing.formUnion(missing)
      try entries.save(kept.version, of: kept.row, in: kept.scope)
      guard !kept.isHidden, !fields.isEmpty else { continue }
      try show(fields, of: kept, columns, table, changes[WireValue(kept.row.id)] ?? [])
    }
  }

  private func all(in table: SyncedTable) throws -> [Kept] {
    try VersionRow.where { $0.tableName == table.name }
      .leftJoining(ShadowRow.self).on { row, shadow in
        shadow.tableName == row.tableName && shadow.id == row.id
          && shadow.scope == row.scope
      }
      .select({ id, scope, version, reason in
        Kept(
          row: RowID(table: table.name, id: id), scope: scope, version: version,
          isHidden: reason != nil)
      }) { row, shadow in
        row.id
        row.scope
        row.version
        shadow.reason
      }.all(writer)
  }

  /// Returns the unsealed changes of a table's rows, by id.
  private func changes(of table: SyncedTable) throws -> [WireValue: [JournalEntry]] {
    guard let number = journal.layout.number(of: table.name) else { return [:] }
    let entries = try journal.entries(where: "tbl = \(number)")
    return Dictionary(
      entries.map { ($0.key.id, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Showing

  private mutating func show(
    _ fields: [String: WireValue], of kept: Kept, _ columns: [SyncedColumn],
    _ table: SyncedTable, _ changes: [JournalEntry]
  ) throws {
    var fields = fields
    if !changes.isEmpty {
      // A row that this device inserted already shows its values.
      guard changes.first(where: \.kind.changesPresence)?.kind != .insert else { return }
      try putUnder(changes, &fields, columns, table)
    }
    let isNew = former.tables[table.name] == nil
    guard !fields.isEmpty, try isNew || visible.values(of: kept.row, in: table) != nil else {
      return
    }
    do {
      try visible.write(fields, of: kept.row, in: table)
    } catch let error as DatabaseError where error.isRefusal {
      refused.insert(kept.scope)
    }
  }

  /// Stores values as the old values of captured changes, if these have deleted the row or changed
  /// the column under its former name. Cancelling the changes then restores the values.
  /// - Parameter fields: the values. Those that were stored in the journal are removed.
  private func putUnder(
    _ changes: [JournalEntry], _ fields: inout [String: WireValue], _ columns: [SyncedColumn],
    _ table: SyncedTable
  ) throws {
    guard let number = journal.layout.number(of: table.name) else { return }
    for column in columns {
      let change = changes.first { $0.kind == .delete || $0.old[column.name] != nil }
      let place = journal.layout.tables[number].columns.firstIndex(of: column.name)
      guard let change, let place, let value = column.value(of: fields) else { continue }
      let old: SQL =
        "\(identifier: JournalRow.column(of: place)) = \(StoredValue(value: value))"
      try SQL(
        "UPDATE _outbox SET \(old), mask = mask | \(1 << place) WHERE seq = \(change.number)"
      ).run(writer)
      fields = fields.filter { FieldName($0.key).column != column.name }
    }
  }
}
