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
