/// A search for the rows that a removal will delete, and for the references that it will clear.
///
/// It follows references as SQLite does: from each row to the rows that refer to it
/// (<https://sqlite.org/foreignkeys.html>).
struct Removal {
  private let connection: Connection
  /// The references to each table, by its name in lowercase.
  private let references: [String: [StoredReference]]
  private var shapes: [String: TableShape] = [:]
  /// The rows found in each table, by its name in lowercase.
  private var found: [String: FoundRows] = [:]
  /// The lowercase names of the tables in the order in which they were found.
  private var tables: [String] = []
  private var cleared: [RemovedRows.ClearedReference] = []

  init(_ connection: Connection) throws {
    self.connection = connection
    references = Dictionary(
      grouping: try StoredReference.all(connection), by: { $0.target.lowercased() })
  }

  /// Adds the rows of a query and all rows that are deleted with them.
  mutating func collect<Row>(_ query: Query<Row>) throws {
    var pending = [(table: Row.table.name, filter: try query.wholeFilter("removed"))]
    while let (table, filter) = pending.popLast() {
      let rows = try add(table, filter)
      for reference in references[table.lowercased()] ?? [] {
        for row in rows {
          guard let filter = try self.filter(of: reference, to: row) else { continue }
          if reference.deletes {
            pending.append((reference.table, filter))
          } else if reference.clears {
            try addCleared(reference, filter)
          }
        }
      }
    }
  }

  /// Returns the removed rows, and the references whose values differ from those before the
  /// removal.
  func removedRows() throws -> RemovedRows {
    RemovedRows(
      rows: tables.compactMap { found[$0]?.rows },
      clearedReferences: try cleared.compactMap { reference in
        var reference = reference
        guard let after = try values(of: reference) else { return nil }
        reference.after = after
        return after == reference.before ? nil : reference
      })
  }

  // MARK: - Rows

  /// Adds the rows that match a filter and were not found before, and returns them by column name.
  private mutating func add(_ table: String, _ filter: SQL) throws -> [[String: ExactValue]] {
    let (name, shape) = (table.lowercased(), try shape(of: table))
    if found[name] == nil {
      tables.append(name)
      found[name] = FoundRows(shape)
    }
    var new: [[String: ExactValue]] = []
    for values in try connection.fetch(shape.allRows(filter), { shape.values(of: $0) })
    where found[name]?.insert(values) == true {
      new.append(shape.valuesByColumn(values))
    }
    return new
  }

  /// Returns the filter for the rows that refer to a row, or `nil` if the row has no value to refer
  /// to.
  private mutating func filter(
    of reference: StoredReference, to row: [String: ExactValue]
  ) throws -> SQL? {
    let targets =
      try reference.targetColumns ?? shape(of: reference.target).primaryKey
    guard targets.count == reference.columns.count else { return nil }
    var filter = SQL(raw: "")
    for (column, target) in zip(reference.columns, targets) {
      guard let value = row[target.lowercased()], value != .null else { return nil }
      filter.append(raw: filter.text.isEmpty ? " WHERE " : " AND ")
      filter.append("\(identifier: column) = \(value.sql)")
    }
    return filter
  }

  private mutating func shape(of table: String) throws -> TableShape {
    if let shape = shapes[table.lowercased()] { return shape }
    let shape = try TableShape(table, connection)
    shapes[table.lowercased()] = shape
    return shape
  }

  // MARK: - Cleared references

  private mutating func addCleared(_ reference: StoredReference, _ filter: SQL) throws {
    let shape = try shape(of: reference.table)
    let key = shape.key
    let rows = try connection.fetch(
      shape.select(key + reference.columns, filter)
    ) { row in (key + reference.columns).indices.map { ExactValue(row, Int32($0)) } }
    cleared += rows.map { values in
      RemovedRows.ClearedReference(
        table: shape.name, key: key, keyValues: Array(values.prefix(key.count)),
        columns: reference.columns, before: Array(values.dropFirst(key.count)))
    }
  }

  private func values(of reference: RemovedRows.ClearedReference) throws -> [ExactValue]? {
    var sql: SQL = "SELECT "
    sql.append(raw: reference.columns.map(\.quotedIdentifier).joined(separator: ", "))
    sql.append(" FROM \(identifier: reference.table)")
    for (index, (column, value)) in zip(reference.key, reference.keyValues).enumerated() {
      sql.append(raw: index == 0 ? " WHERE " : " AND ")
      sql.append("\(identifier: column) IS \(value.sql)")
    }
    return try connection.fetchOne(sql) { row in
      reference.columns.indices.map { ExactValue(row, Int32($0)) }
    }
  }
}

/// The rows found in one table, each once.
private struct FoundRows {
  private(set) var rows: RemovedRows.Rows
  private let shape: TableShape
  private var keys: Set<[ExactValue]> = []

  init(_ shape: TableShape) {
    self.shape = shape
    rows = RemovedRows.Rows(table: shape.name, columns: shape.storedColumns, values: [])
  }

  /// Adds a row, unless it was added before.
  /// - Returns: Whether the row was added.
  mutating func insert(_ values: [ExactValue]) -> Bool {
    guard keys.insert(shape.key(of: values)).inserted else { return false }
    rows.values.append(shape.stored(values))
    return true
  }
}
