import Offshore
import OffshoreWire

/// The check at the end of a write that the server accepts the ids of its new rows, and that the
/// account may write the rows that it has changed, as far as the device knows.
///
/// The captured changes of the whole write are checked, and not each statement: a foreign key may
/// delete rows of others together with the row that they refer to.
struct WriteCheck {
  private let schema: SyncSchema
  private let layout: CaptureLayout
  private let account: String?
  /// The tables with other writers than all members, by number.
  private let tables: [Int: SyncTable]
  /// The tables of which an id may be invalid, by number.
  private let tablesOfFreeIDs: [Int: SyncTable]
  /// The number of the transaction that installs the check if it has captured rows that a table
  /// already had. They are not checked: opening the file would fail.
  private let installation: Int64?

  /// Creates the check for a file that is prepared for a schema.
  /// - Parameter account: the id of the account, or `nil` if it is not known.
  /// - Returns: `nil` if all members may write all tables, and all ids are valid.
  init?(_ schema: SyncSchema, account: String?, _ writer: Writer) throws {
    guard schema.tables.contains(where: { $0.writers != .members || $0.hasFreeIDs }) else {
      return nil
    }
    let layout = try CaptureLayout(writer)
    func numbered(_ isChecked: (SyncTable) -> Bool) -> [Int: SyncTable] {
      schema.tables.filter(isChecked).reduce(into: [:]) { tables, table in
        if let number = layout.number(of: table.sentName) { tables[number] = table }
      }
    }
    tables = numbered { $0.writers != .members }
    tablesOfFreeIDs = numbered(\.hasFreeIDs)
    let last = try Self.lastTransaction(writer)
    let current = try StateRow.all.select { $0.transaction }.first(writer)
    installation = last == current ? last : nil
    self.schema = schema
    self.layout = layout
    self.account = account
  }

  /// Checks the captured changes of the last transaction.
  /// - Throws: ``ReplicaError`` with the code `forbidden` or `invalidID`; `DatabaseError`.
  func run(_ writer: Writer) throws {
    guard let last = try Self.lastTransaction(writer), last != installation else { return }
    // NB: They are the last entries, so the others are not read.
    let isNew: SQL = """
      seq > coalesce((
        SELECT seq FROM _outbox WHERE batch < \(last) ORDER BY seq DESC LIMIT 1), 0)
      """
    try checkIDs(isNew, writer)
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

  private static func lastTransaction(_ reader: Reader) throws -> Int64? {
    try SQL("SELECT batch FROM _outbox ORDER BY seq DESC LIMIT 1").first(reader, as: Int64.self)
  }

  // MARK: - Ids

  /// Checks that inserted rows have ids of 1 to 200 visible characters of ASCII.
  private func checkIDs(_ isNew: SQL, _ writer: Writer) throws {
    guard !tablesOfFreeIDs.isEmpty else { return }
    let numbers = SQL(raw: tablesOfFreeIDs.keys.sorted().map(String.init).joined(separator: ", "))
    // NB: GLOB reads a text up to its first NUL.
    let found = try SQL(
      """
      SELECT tbl FROM _outbox
      WHERE \(isNew) AND kind = \(CaptureTriggers.Kind.insert.rawValue) AND tbl IN (\(numbers))
        AND typeof(id) = 'text' AND (length(CAST(id AS BLOB)) NOT BETWEEN 1 AND \(WireLimits.idBytes)
          OR id GLOB '*[^!-~]*' OR instr(id, char(0)))
      LIMIT 1
      """
    ).first(writer, as: Int.self)
    guard let found, let table = tablesOfFreeIDs[found] else { return }
    throw ReplicaError(
      .invalidID,
      """
      The id of a row of “\(table.name)” does not have 1 to 200 visible characters of ASCII, so it could not \
      be sent. Give it another one, for example a UUID or a DerivedID.
      """)
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
      return table.syncedColumns.filter {
        let name = table.sentName(of: $0.name)
        return before[name] != after[name]
      }
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
        try !column.isNullable && isMissing(column, of: table, in: before, reader)
      }
    }
    return try changes.allSatisfy { column in
      try row.after?[table.sentName(of: column.name)] == .null
        && isMissing(column, of: table, in: before, reader)
    }
  }

  /// Returns whether the row that a column referred to does not exist any more.
  private func isMissing(
    _ column: ColumnDefinition, of table: SyncTable, in before: [String: WireValue],
    _ reader: Reader
  ) throws -> Bool {
    guard let parent = column.reference.flatMap({ schema[$0.table] }),
      let id = before[table.sentName(of: column.name)]?.string
    else { return false }
    return try SQL(
      """
      SELECT NOT EXISTS (SELECT 1 FROM \(identifier: parent.name)
      WHERE \(identifier: parent.idColumn) = \(id))
      """
    ).first(reader, as: Bool.self) == true
  }
}
