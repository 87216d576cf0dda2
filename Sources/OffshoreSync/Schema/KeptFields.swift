import Offshore
import OffshoreWire

/// The migration of values from `_row` to the app's tables, for columns that were unknown until now, or
/// could not store them. Rows without a value get the default.
struct KeptFields {
  private let former: PreparedSchema
  private let next: PreparedSchema
  private let layout: CaptureLayout
  private let writer: Writer
  private let entries: RowEntries
  private let visible: VisibleRows
  private let journal: Journal
  /// The scopes of rows that a constraint refused.
  private(set) var refused: Set<ScopeID> = []

  init(
    schema: SyncSchema, former: PreparedSchema, next: PreparedSchema, layout: CaptureLayout,
    writer: Writer
  ) throws {
    (self.former, self.next, self.layout, self.writer) = (former, next, layout, writer)
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

  /// Moves stored values into the new and wider columns of a table, and shows changed defaults.
  mutating func move(into table: SyncedTable) throws {
    let columns = former.columnsChanged(in: table, of: next)
    let new = Set(former.columnsNew(in: table).map(\.name))
    let changes = try changes(of: table)
    let defaults = try defaults(of: columns, in: table)
    for var kept in try all(in: table) where kept.version.isLiving {
      var fields = kept.version.take(columns)
      // NB: The row's author did not know these columns.
      let missing = columns.filter {
        new.contains($0.name) && $0.value(of: fields) == nil && kept.version.unknown[$0.name] == nil
      }
      kept.version.missing.formUnion(missing.map(\.name))
      for column in columns where new.contains(column.name) && fields[column.name] == nil {
        fields[column.name] = derived(column, of: kept.version, in: table)
      }
      try entries.save(kept.version, of: kept.row, in: kept.scope)
      if kept.isHidden { continue }
      let pending = changes[WireValue(kept.row.id)] ?? []
      for (column, value) in defaults
      where fields[column.name] == nil && kept.version.missing.contains(column.name)
        && derived(column, of: kept.version, in: table) == nil && !pending.lack(column)
      {
        fields[column.name] = value
      }
      if !fields.isEmpty { try show(fields, of: kept, columns, table, pending) }
    }
  }

  /// Returns the values of the columns in rows that have none there.
  private func defaults(
    of columns: [SyncedColumn], in table: SyncedTable
  ) throws -> [(column: SyncedColumn, value: WireValue)] {
    var defaults: [(column: SyncedColumn, value: WireValue)] = []
    let known = layout.number(of: table.name).map { layout.tables[$0].columns } ?? []
    let synced = former.tables[table.name] ?? []
    // NB: A migration fills derived columns. Those that were local have values of this device.
    for column in columns
    where synced.contains(column.name)
      || column.derivedFrom == nil && !known.contains(column.name)
    {
      let text = next.defaultSQL(of: column, in: table)
      if !text.isEmpty {
        let value = try SQL("SELECT \(SQL(raw: text))").first(writer, as: StoredValue.self)
        if let value { defaults.append((column, value.value)) }
      } else if column.isNullable, !former.defaultSQL(of: column, in: table).isEmpty {
        defaults.append((column, .null))
      }
    }
    return defaults
  }

  /// Returns the value of a derived column for the stored one of the former column.
  private func derived(
    _ column: SyncedColumn, of version: RowVersion, in table: SyncedTable
  ) -> WireValue? {
    column.derivedFrom.flatMap { version.unknown[$0] }.flatMap {
      visible.schema[table.name]?.derive(column, from: $0, writer)
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

extension PreparedSchema {
  /// Returns the SQL of a column's default, or an empty text if it has none.
  fileprivate func defaultSQL(of column: SyncedColumn, in table: SyncedTable) -> String {
    defaults?[table.name]?[column.name] ?? ""
  }
}

extension [JournalEntry] {
  /// Returns whether unsealed changes have inserted a row, or deleted it without a former value in a column.
  fileprivate func lack(_ column: SyncedColumn) -> Bool {
    guard let change = first(where: \.kind.changesPresence) else { return false }
    return change.old[column.name] == nil
  }
}

extension RowVersion {
  /// Removes the stored values of columns that these can store now.
  /// - Returns: the fields of the values.
  fileprivate mutating func take(_ columns: [SyncedColumn]) -> [String: WireValue] {
    var taken: [String: WireValue] = [:]
    for column in columns {
      let fields = unknown.filter { FieldName($0.key).column == column.name }
      guard let value = fields[column.name], column.holds(value), !isSuperseded(column) else {
        continue
      }
      taken.merge(fields) { $1 }
    }
    for field in taken.keys { unknown[field] = nil }
    return taken
  }
}
