extension Connection {
  /// Returns the table and the column of the first dangling reference in the open transaction, or
  /// `nil` if there is none. The column is `nil` if the foreign key has several columns.
  ///
  /// It checks all references of the file, so it is meant for error messages only.
  func danglingReference() throws -> (table: String, column: String?)? {
    let found = try fetch("PRAGMA foreign_key_check", limit: 1) { row in
      (
        table: try row.value(String.self), row: try row.value(Int?.self),
        parent: try row.value(String.self), number: try row.value(Int.self)
      )
    }
    guard let first = found.first else { return nil }
    return (first.table, try referringColumns(first.number, of: first.table).only)
  }

  /// Returns the name of the column by which a row refers to a missing row, or `nil` if there is
  /// none. The references are those of the table's declaration.
  func danglingColumn<Row: Record>(of row: Row) throws -> String? {
    let table = Row.table
    for (index, column) in table.columns.enumerated() {
      guard let reference = column.reference else { continue }
      let value = table.plan.lookups[index].bind(row)
      guard value.arguments != [.null], let target = try target(of: reference) else { continue }
      let sql: SQL = """
        SELECT EXISTS (
          SELECT 1 FROM \(identifier: reference.table) WHERE \(identifier: target) = \(value))
        """
      if try fetchOne(sql, { try $0.value(Bool.self) }) == false { return column.name }
    }
    return nil
  }

  private func target(of reference: Reference) throws -> String? {
    if let column = reference.column { return column }
    return try fetch("SELECT name FROM pragma_table_info(\(reference.table)) WHERE pk > 0") {
      try $0.value(String.self)
    }.only
  }

  private func referringColumns(_ number: Int, of table: String) throws -> [String] {
    try fetch(
      "SELECT \"from\" FROM pragma_foreign_key_list(\(table)) WHERE id = \(number) ORDER BY seq"
    ) { try $0.value(String.self) }
  }
}

extension [String] {
  /// The element if it is the only one.
  fileprivate var only: String? { count == 1 ? first : nil }
}
