extension Table {
  /// The statements that create the table and its indexes, each with a semicolon at its end.
  ///
  /// ```sql
  /// CREATE TABLE "charters" (
  ///   "id" TEXT NOT NULL PRIMARY KEY,
  ///   "name" TEXT NOT NULL
  /// );
  /// CREATE INDEX "idx_charters_name" ON "charters" ("name");
  /// ```
  /// - Throws: ``DatabaseError`` with code `declaration` if the declaration contradicts itself.
  package var creationSQL: String {
    get throws { try TableDeclaration(self).creationSQL }
  }
}

extension Writer {
  /// Creates a table with its indexes by the statements of ``Table/creationSQL``.
  ///
  /// In a migration, the table has the form that it had before all later steps: see
  /// ``MigrationStep/create(_:)``.
  /// - Throws: ``DatabaseError``: `declaration`; `invalidSQL` if the table exists already, or SQLite does
  ///   not know what the declaration names.
  package func create<Row>(_ table: Table<Row>) throws {
    try connection.create(TableDeclaration(table))
  }
}

extension TableDeclaration {
  var creationSQL: String {
    let options = [isStrict ? "STRICT" : nil, isWithoutRowID ? "WITHOUT ROWID" : nil]
      .compactMap(\.self).joined(separator: ", ")
    let lines = columns.map(definition) + (key.count > 1 ? [compositeKey] : [])
    let table =
      "CREATE TABLE \(name.quotedIdentifier) (\n"
      + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n)"
      + (options.isEmpty ? "" : " " + options)
    return ([table] + indexes.map(creation)).map { $0 + ";" }.joined(separator: "\n")
  }

  private var compositeKey: String { "PRIMARY KEY (\(list(key)))" }

  func definition(of column: ColumnDefinition) -> String {
    var parts = [column.name.quotedIdentifier]
    if let former = column.formerSQL { return "\(parts[0]) \(SQLTokens(former).text)" }
    if !column.sqlType.isEmpty { parts.append(column.sqlType) }
    if !column.isNullable { parts.append("NOT NULL") }
    if column.isPrimaryKey, key.count == 1 { parts.append("PRIMARY KEY") }
    if column.isUnique { parts.append("UNIQUE") }
    if let value = column.defaultSQL { parts.append("DEFAULT \(value)") }
    // The tokens leave out comments, which would hide the text after them.
    if let check = column.checkSQL { parts.append("CHECK (\(SQLTokens(check).text))") }
    if let collation = column.collation { parts.append("COLLATE \(collation.rawValue)") }
    if let reference = column.reference { parts.append(reference.sql) }
    return parts.joined(separator: " ")
  }

  func creation(of index: IndexDefinition) -> String {
    "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.quotedIdentifier) "
      + "ON \(name.quotedIdentifier) (\(list(index.columns)))"
  }

  private func list(_ names: [String]) -> String {
    names.map(\.quotedIdentifier).joined(separator: ", ")
  }
}

extension Reference {
  fileprivate var sql: String {
    var sql = "REFERENCES \(table.quotedIdentifier)"
    if let column { sql += " (\(column.quotedIdentifier))" }
    if onDelete != .noAction { sql += " ON DELETE \(onDelete.rawValue)" }
    if onUpdate != .noAction { sql += " ON UPDATE \(onUpdate.rawValue)" }
    return sql + (isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : "")
  }
}
