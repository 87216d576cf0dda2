/// The schema of a table's declaration, without the type of its rows.
package struct TableDeclaration: Sendable {
  package internal(set) var name: String
  package internal(set) var columns: [ColumnDefinition]
  package internal(set) var indexes: [IndexDefinition]
  /// The columns of the text index, as far as a migration speaks of it.
  var textColumns: [String] = []
  package let isWithoutRowID: Bool
  package let isStrict: Bool

  init(
    name: String, columns: [ColumnDefinition], indexes: [IndexDefinition], isWithoutRowID: Bool,
    isStrict: Bool
  ) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
    self.isWithoutRowID = isWithoutRowID
    self.isStrict = isStrict
  }

  /// Creates the schema of a declaration.
  /// - Throws: ``DatabaseError`` with code `declaration` if the declaration contradicts itself.
  package init<Row>(_ table: Table<Row>) throws {
    name = table.name
    columns = table.columns
    isWithoutRowID = table.isWithoutRowID
    isStrict = table.isStrict
    indexes = table.indexes
    indexes = table.columns.compactMap(ownIndex) + indexes
    try table.plan.checkDeclaration()
    try check()
  }

  /// The names of the primary key's columns in order.
  package var key: [String] { columns.filter(\.isPrimaryKey).map(\.name) }

  /// Returns whether a column is an alias of the row id, so that SQLite numbers the rows. See
  /// <https://sqlite.org/lang_createtable.html#rowid>.
  func isRowID(_ column: ColumnDefinition) -> Bool {
    column.isPrimaryKey && key.count == 1 && !isWithoutRowID
      && column.sqlType.uppercased() == "INTEGER"
  }

  /// Returns the index that ``Column/indexed(_:)`` declares for a column.
  ///
  /// The primary key follows the column, so that pages in the column's order need no sorting.
  /// SQLite itself appends the key if it is the row id, or if the table has no row ids.
  private func ownIndex(_ column: ColumnDefinition) -> IndexDefinition? {
    let keys = isWithoutRowID || columns.contains(where: isRowID) ? [] : key
    let names = [column.name] + keys.filter { $0 != column.name }
    return switch column.index {
    case nil: nil
    case .automatic:
      IndexDefinition(
        name: IndexDefinition.automaticName(name, [column.name]), columns: names, isUnique: false)
    case .named(let own): IndexDefinition(name: own, columns: names, isUnique: false)
    }
  }

  // MARK: - Problems

  private func check() throws {
    for column in columns { try check(column) }
    if isWithoutRowID, key.isEmpty {
      throw problem("It has neither row ids nor a primary key. Mark its key by primaryKey().")
    }
    for index in indexes where index.columns.isEmpty || index.columns.contains("") {
      throw problem(
        "An index covers no column, or a property that no column holds. Declare the column, or "
          + "remove it from the index.")
    }
    let names = indexes.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw problem("Two indexes are named “\(twice)”. Give one another name.")
    }
  }

  private func check(_ column: ColumnDefinition) throws {
    if column.isPrimaryKey, column.isNullable, !isRowID(column) {
      throw problem("NULL is no key. Make its property non-optional.", column.name)
    }
    if column.hasUnusableDefault {
      throw problem(
        "The default cannot be stored. Choose a value that its codec takes.", column.name)
    }
    let strictTypes = ["ANY", "BLOB", "INT", "INTEGER", "REAL", "TEXT"]
    if isStrict, !strictTypes.contains(column.sqlType.uppercased()) {
      throw problem(
        "A strict table has no type “\(column.sqlType)”, only \(strictTypes.nameList). "
          + "Declare one of them, or leave strict() out.", column.name)
    }
  }

  private func problem(_ message: String, _ column: String? = nil) -> DatabaseError {
    var error = DatabaseError(.declaration, message)
    error.table = name
    error.column = column
    return error
  }
}

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
  /// - Throws: ``DatabaseError``: `declaration`; `invalidSQL` if the table exists already, or
  ///   SQLite does not know what the declaration names.
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
