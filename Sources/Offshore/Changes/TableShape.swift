/// A foreign key in the file's schema.
struct StoredReference {
  /// The table with the foreign key.
  let table: String
  let columns: [String]
  /// The referenced table.
  let target: String
  /// The referenced columns, or `nil` for the target's primary key.
  let targetColumns: [String]?
  private let action: ReferenceAction

  /// Whether a row is deleted with the row it refers to.
  var deletes: Bool { action == .cascade }
  /// Whether a row stays, with a cleared reference, if the row it refers to is deleted.
  var clears: Bool { action == .setNull || action == .setDefault }

  /// Returns all foreign keys of a file.
  static func all(_ connection: Connection) throws -> [StoredReference] {
    // A virtual table has no foreign keys, and its module may not be loaded.
    let columns = try connection.fetch(
      """
      SELECT t.name, f.id, f."from", f."table", f."to", f.on_delete
      FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' AND t.rootpage > 0 ORDER BY t.name, f.id, f.seq
      """
    ) { row in
      (
        table: try row.value(String.self), id: try row.value(Int.self),
        from: try row.value(String.self), target: try row.value(String.self),
        to: try row.value(String?.self), action: try row.value(String.self)
      )
    }
    return columns.chunked { $0.table == $1.table && $0.id == $1.id }.map { columns in
      let targets = columns.compactMap(\.to)
      return StoredReference(
        table: columns[0].table, columns: columns.map(\.from), target: columns[0].target,
        targetColumns: targets.count == columns.count ? targets : nil,
        action: ReferenceAction(rawValue: columns[0].action.uppercased()) ?? .noAction)
    }
  }
}

extension Array {
  /// Returns the elements in runs of neighbours that belong together.
  fileprivate func chunked(_ belongTogether: (Element, Element) -> Bool) -> [[Element]] {
    reduce(into: []) { runs, element in
      if let last = runs.last?.last, belongTogether(last, element) {
        runs[runs.count - 1].append(element)
      } else {
        runs.append([element])
      }
    }
  }
}

/// The columns of a table in the file, and the key that identifies its rows.
struct TableShape {
  private struct Column {
    let name: String
    let isGenerated: Bool
  }

  let name: String
  /// The columns of the primary key in their order; empty if the table has none.
  let primaryKey: [String]
  /// The columns that identify rows: those of the primary key, or the row id.
  let key: [String]
  private let columns: [Column]
  /// The name of the row id, by which rows are sorted; `nil` if the table has none.
  private let rowID: String?

  init(_ table: String, _ connection: Connection) throws {
    let catalog = SchemaCatalog(connection)
    let columns = try catalog.columns(of: table)
    guard !columns.isEmpty else {
      throw DatabaseError(.notFound, "There is no table “\(table)”. Create it in a migration.")
    }
    name = table
    self.columns = columns.map { Column(name: $0.name, isGenerated: $0.isGenerated) }
    primaryKey = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
      .map(\.name)
    let names = Set(columns.map { $0.name.lowercased() })
    let options = try catalog.options()
    let isWithoutRowID = options.contains {
      $0.key.lowercased() == table.lowercased() && $0.value.isWithoutRowID
    }
    rowID = isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    key = primaryKey.isEmpty ? [rowID].compactMap(\.self) : primaryKey
  }

  /// The columns that a row is inserted with; generated columns are left out.
  var storedColumns: [String] { columns.filter { !$0.isGenerated }.map(\.name) }

  // MARK: - Reading

  /// Returns `SELECT "id", … FROM "charters" WHERE … ORDER BY rowid`.
  func select(_ names: [String], _ filter: SQL) -> SQL {
    var sql = SQL(raw: "SELECT " + names.map(\.quotedIdentifier).joined(separator: ", "))
    sql.append(" FROM \(identifier: name)\(filter)")
    let order = rowID.map { [$0] } ?? primaryKey
    sql.append(raw: " ORDER BY " + order.map(\.quotedIdentifier).joined(separator: ", "))
    return sql
  }

  /// Returns a query for the key and all columns of rows.
  func allRows(_ filter: SQL) -> SQL { select(key + columns.map(\.name), filter) }

  /// Returns the values of the key and all columns of a row.
  func values(of row: RowReader) -> [ExactValue] {
    (0..<(key.count + columns.count)).map { ExactValue(row, Int32($0)) }
  }

  // MARK: - Parts of a row's values

  func key(of values: [ExactValue]) -> [ExactValue] { Array(values.prefix(key.count)) }

  func stored(_ values: [ExactValue]) -> [ExactValue] {
    zip(columns, values.dropFirst(key.count)).filter { !$0.0.isGenerated }.map(\.1)
  }

  /// Returns the values of columns by column name in lowercase.
  func valuesByColumn(_ values: [ExactValue]) -> [String: ExactValue] {
    Dictionary(
      uniqueKeysWithValues: zip(
        columns.map { $0.name.lowercased() }, values.dropFirst(key.count)))
  }
}
