import Offshore
import OffshoreWire

/// The check at the end of a write that the account may write the rows that it has changed, as far
/// as the device knows.
///
/// The captured changes of the whole write are checked, and not each statement: a foreign key may
/// delete rows of others together with the row that they refer to.
struct WriteCheck {
  private let schema: SyncSchema
  private let layout: CaptureLayout
  private let account: String?
  /// The tables with other writers than all members, by number.
  private let tables: [Int: SyncTable]

  /// Creates the check for a file that is prepared for a schema.
  /// - Parameter account: the id of the account, or `nil` if it is not known.
  /// - Returns: `nil` if all members may write all tables.
  init?(_ schema: SyncSchema, account: String?, _ writer: Writer) throws {
    let guarded = schema.tables.filter { $0.writers != .members }
    guard !guarded.isEmpty else { return nil }
    let layout = try CaptureLayout(writer)
    self.schema = schema
    self.layout = layout
    self.account = account
    tables = guarded.reduce(into: [:]) { tables, table in
      if let number = layout.number(of: table.name) { tables[number] = table }
    }
  }

  /// Checks the captured changes of the last transaction.
  /// - Throws: ``ReplicaError`` with the code `forbidden`; `DatabaseError`.
  func run(_ writer: Writer) throws {
    // NB: They are the last entries, so the others are not read.
    let isNew: SQL = """
      seq > coalesce((
        SELECT seq FROM _outbox WHERE batch < (
          SELECT batch FROM _outbox ORDER BY seq DESC LIMIT 1)
        ORDER BY seq DESC LIMIT 1), 0)
      """
    let journal = Journal(reader: writer, layout: layout, schema: schema)
    var rights = WriteRights(reader: writer, account: account)
    for (number, table) in tables.sorted(by: { $0.key < $1.key }) {
      let isOwn: SQL = "\(isNew) AND tbl = \(number)"
      let entries = try journal.entries(where: isOwn)
      guard !entries.isEmpty else { continue }
      let rows = try journal.rows(table, in: "SELECT id FROM _outbox WHERE \(isOwn)")
      for (key, entries) in entries {
        let change = CapturedRow(entries, before: [], current: rows[key.id])
        try check(ChangedRow(key.id, change), table, &rights, writer)
      }
    }
  }

  // MARK: - Rows

  /// A row before and after the write.
  private struct ChangedRow {
    let id: WireValue
    let before: [String: WireValue]?
    let after: [String: WireValue]?
    let isUnchanged: Bool

    init(_ id: WireValue, _ change: CapturedRow) {
      self.id = id
      before = change.wasThere ? (change.new ?? [:]).merging(change.old) { $1 } : nil
      after = change.new
      isUnchanged = change.isUndone && change.restated.isEmpty
    }

    var states: [[String: WireValue]] { [before, after].compactMap(\.self) }

    /// The synced columns whose values differ, or `nil` if the row was inserted or deleted.
    func changes(in table: SyncTable) -> [ColumnDefinition]? {
      guard let before, let after else { return nil }
      return table.syncedColumns.filter { before[$0.name] != after[$0.name] }
    }
  }

  private func check(
    _ row: ChangedRow, _ table: SyncTable, _ rights: inout WriteRights, _ reader: Reader
  ) throws {
    guard !row.isUnchanged else { return }
    guard try !isAllowed(row, table, &rights), try !isConsequence(row, table, reader) else {
      return
    }
    throw ReplicaError(
      .forbidden,
      table.writers == .owners
        ? "Only owners may write rows of “\(table.name)”. Ask an owner to do it."
        : "Only its author may write this row of “\(table.name)”. Ask them to do it.")
  }

  private func isAllowed(
    _ row: ChangedRow, _ table: SyncTable, _ rights: inout WriteRights
  ) throws -> Bool {
    for state in row.states where try !rights.allow(state, of: row.id.string, in: table) {
      return false
    }
    return true
  }

  // MARK: - Consequences

  /// Returns whether a change follows from the deletion of a row that this one refers to.
  private func isConsequence(
    _ row: ChangedRow, _ table: SyncTable, _ reader: Reader
  ) throws -> Bool {
    guard let before = row.before else { return false }
    guard let changes = row.changes(in: table) else {
      return try table.syncedColumns.contains { column in
        try !column.isNullable && isMissing(column, in: before, reader)
      }
    }
    return try changes.allSatisfy { column in
      try row.after?[column.name] == .null && isMissing(column, in: before, reader)
    }
  }

  /// Returns whether the row that a column referred to does not exist any more.
  private func isMissing(
    _ column: ColumnDefinition, in before: [String: WireValue], _ reader: Reader
  ) throws -> Bool {
    guard let parent = column.reference.flatMap({ schema[$0.table] }),
      let id = before[column.name]?.string
    else { return false }
    return try SQL(
      """
      SELECT NOT EXISTS (SELECT 1 FROM \(identifier: parent.name)
      WHERE \(identifier: parent.idColumn) = \(id))
      """
    ).first(reader, as: Bool.self) == true
  }
}
