import Offshore
package import OffshoreWire

/// The names of columns in messages, and in the database.
extension SyncTable {
  /// Returns the name of a column in messages.
  /// - Parameter column: the name in the database.
  func sentName(of column: String) -> String { formerNames[column] ?? column }

  /// Returns the name of a column in the database.
  /// - Parameter sent: the name in messages.
  func presentName(of sent: String) -> String {
    formerNames.first { $0.value == sent }?.key ?? sent
  }

  /// The columns of the database that are not the key, by their names in the database and in messages.
  var valueColumns: [(name: String, sent: String)] {
    definitions.filter { !$0.isPrimaryKey }.map { ($0.name, sentName(of: $0.name)) }
  }

  /// The column with the value of a row's scope, by its name in messages.
  var sentScopeColumn: String { sentName(of: scopeColumn) }

  /// The members who may write the rows, with the column of the author by its name in messages.
  var sentWriters: TableWriters {
    if case .author(let column) = writers { .author(sentName(of: column)) } else { writers }
  }
}

/// The names of rows and fields in messages, and in the database.
extension SyncSchema {
  /// Returns a row as messages name it.
  /// - Parameter row: the row by the name of its table in the database or in messages.
  func sent(_ row: RowID) -> RowID {
    guard let table = self[row.table], table.sentName != row.table else { return row }
    return RowID(table: table.sentName, id: row.id)
  }

  /// Returns a row by the name of its table in the database.
  /// - Parameter row: the row as messages name it.
  package func present(_ row: RowID) -> RowID {
    guard let table = self[row.table], table.name != row.table else { return row }
    return RowID(table: table.name, id: row.id)
  }

  /// Returns the name of a field by the name of its column in the database.
  /// - Parameters:
  ///   - field: the field as messages name it.
  ///   - table: the name of its table.
  package func presentField(_ field: String, of table: String) -> String {
    guard let table = self[table], !table.formerNames.isEmpty else { return field }
    let name = FieldName(field)
    let column = table.presentName(of: name.column)
    return name.key.map { FieldName(column: column, key: $0).text } ?? column
  }
}
