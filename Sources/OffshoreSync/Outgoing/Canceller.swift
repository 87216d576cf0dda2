public import Offshore
public import OffshoreWire

extension Outbox {
  /// Returns the numbers of the captured transactions that are not sealed yet, oldest first.
  /// - Throws: `DatabaseError`.
  public func transactions(_ reader: Reader) throws -> [Int64] {
    try JournalRow.order { $0.transaction }.select { $0.transaction }.distinct().all(reader)
  }

  /// Undoes all unsealed changes of a row, bit for bit.
  ///
  /// Sealed changes stay. If the row was inserted, it is deleted. Rows that foreign keys delete
  /// with it are captured as deleted.
  /// - Returns: whether there was a change to undo.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`, for example if a
  ///   constraint refuses the former row.
  @discardableResult
  public func cancel(_ row: RowID, _ writer: Writer) throws -> Bool {
    try cancel([row], writer)
  }

  /// Undoes all unsealed changes of some rows, bit for bit, as ``cancel(_:_:)`` does.
  ///
  /// To cancel the insertion of a row and of the rows that refer to it, pass all of them: then no
  /// captured change of them remains. A row that is not in `rows`, and that a foreign key deletes
  /// together with one of them, is captured as deleted.
  /// - Returns: whether there was a change to undo.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`, for example if a
  ///   constraint refuses a former row.
  @discardableResult
  public func cancel(_ rows: [RowID], _ writer: Writer) throws -> Bool {
    let canceller = try Canceller(self, writer)
    let conditions = rows.map(schema.sent).compactMap { row -> SQL? in
      canceller.journal.layout.number(of: row.table).map { "(tbl = \($0) AND id = \(row.id))" }
    }
    guard let first = conditions.first else { return false }
    return try canceller.run(where: conditions.dropFirst().reduce(first) { "\($0) OR \($1)" })
  }

  /// Undoes all changes of one captured transaction, bit for bit.
  ///
  /// - Returns: whether there was a change to undo.
  /// - Throws: ``ReplicaError``: `dependency` if a later transaction has changed one of its rows,
  ///   which has to be cancelled first; `notInstalled`, `damaged`. `DatabaseError`, for example if
  ///   a constraint refuses a former row.
  @discardableResult
  public func cancelTransaction(_ number: Int64, _ writer: Writer) throws -> Bool {
    let canceller = try Canceller(self, writer)
    let later = try canceller.journal.entries(
      where: """
        batch > \(number) AND (tbl, id) IN (SELECT tbl, id FROM _outbox WHERE batch = \(number))
        """)
    guard later.isEmpty else {
      throw ReplicaError(
        .dependency, "A later change builds on this one. Cancel the later one first.")
    }
    return try canceller.run(where: "batch = \(number)")
  }
}

/// The restoration of rows from the journal, inside one write.
///
/// It changes rows as an app would, so that consequences such as cascading deletions are captured.
/// Then it deletes the entries that cancel each other out.
private struct Canceller {
  let schema: SyncSchema
  let derivations: Derivations
  let writer: Writer
  let journal: Journal

  init(_ outbox: Outbox, _ writer: Writer) throws {
    (schema, derivations) = (outbox.schema, outbox.derivations)
    self.writer = writer
    journal = Journal(reader: writer, layout: try CaptureLayout(writer), schema: schema)
  }

  func run(where condition: SQL) throws -> Bool {
    let entries = try journal.entries(where: condition)
    guard !entries.isEmpty else { return false }
    let end = try JournalRow.all.max(writer) { $0.number } ?? 0
    // While rows are restored one after the other, a reference may dangle.
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    for (key, entries) in entries.sorted(by: { Self.last($0) > Self.last($1) }) {
      try restore(key, entries)
    }
    for (key, entries) in entries { try forget(key, entries, after: end) }
    try derivations.run(for: entries.keys.compactMap(row), writer)
    return true
  }

  private func row(_ key: JournalKey) -> RowID? {
    key.id.string.map { RowID(table: journal.layout.tables[key.table].name, id: $0) }
  }

  private static func last(_ row: (key: JournalKey, value: [JournalEntry])) -> Int64 {
    row.value.last?.number ?? 0
  }

  private func restore(_ key: JournalKey, _ entries: [JournalEntry]) throws {
    guard let table = schema[journal.layout.tables[key.table].name] else { return }
    let id = StoredValue(value: key.id)
    let current = try journal.rows(table, in: "SELECT \(id)")[key.id]
    let change = CapturedRow(entries, before: [], current: current)
    let name: SQL = "\(identifier: table.name)"
    let keyName: SQL = "\(identifier: table.idColumn)"
    guard change.wasThere else {
      try SQL("DELETE FROM \(name) WHERE \(keyName) = \(id)").run(writer)
      return
    }
    let former = formerValues(change, table, key.table)
    guard !former.isEmpty || current == nil else { return }
    if current == nil {
      let columns = former.reduce(keyName) { "\($0), \(identifier: $1.column)" }
      let values = former.reduce("\(id)" as SQL) { "\($0), \($1.value)" }
      try SQL("INSERT INTO \(name) (\(columns)) VALUES (\(values))").run(writer)
    } else {
      let changes = former.dropFirst().reduce(former[0].assignment) { "\($0), \($1.assignment)" }
      try SQL("UPDATE \(name) SET \(changes) WHERE \(keyName) = \(id)").run(writer)
    }
  }

  private struct FormerValue {
    let column: String
    let value: SQL
    var assignment: SQL { "\(identifier: column) = \(value)" }
  }

  /// Returns the old values as SQL that reads them from the journal, so that every bit is
  /// preserved.
  private func formerValues(
    _ change: CapturedRow, _ table: SyncTable, _ number: Int
  ) -> [FormerValue] {
    let names = Dictionary(
      table.valueColumns.map { ($0.sent, $0.name) }, uniquingKeysWith: { first, _ in first })
    return journal.layout.tables[number].columns.enumerated().compactMap { place, column in
      guard let name = names[column], let source = change.sources[column] else { return nil }
      return FormerValue(
        column: name,
        value:
          "(SELECT \(identifier: JournalRow.column(of: place)) FROM _outbox WHERE seq = \(source))")
    }
  }

  /// Deletes the entries of a row whose changes cancel each other out. They stay if a trigger of
  /// the app has changed the row since.
  private func forget(
    _ key: JournalKey, _ entries: [JournalEntry], after end: Int64
  ) throws {
    guard let table = schema[journal.layout.tables[key.table].name] else { return }
    let id = StoredValue(value: key.id)
    let more = try journal.entries(
      where: "seq > \(end) AND tbl = \(key.table) AND id IS \(id)")[key]
    let all = entries + (more ?? [])
    let change = CapturedRow(
      all, before: [], current: try journal.rows(table, in: "SELECT \(id)")[key.id])
    guard change.isUndone else { return }
    for entry in all { try JournalRow.where { $0.number == entry.number }.delete(writer) }
  }
}
