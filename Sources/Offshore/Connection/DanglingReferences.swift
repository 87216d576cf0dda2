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

  /// The table and the column that refer to a row and prevent its deletion, if the column does so
  /// alone.
  func referringColumn<Row: Record>(to row: Row) throws -> (table: String, column: String)? {
    let table = Row.table
    let references = try fetch(
      """
      SELECT s.name, f."from", f."to" FROM sqlite_schema AS s
      JOIN pragma_foreign_key_list(s.name) AS f
      WHERE s.type = 'table' AND f."table" = \(table.name) COLLATE NOCASE
        AND f.on_delete IN ('NO ACTION', 'RESTRICT')
      GROUP BY s.name, f.id HAVING count(*) = 1
      """
    ) { try ($0.value(String.self), $0.value(String.self), $0.value(String?.self)) }
    for (referring, column, target) in references {
      let target = try target ?? primaryKey(of: table.name)
      guard let index = table.columns.firstIndex(where: { $0.name == target }) else { continue }
      let sql: SQL = """
        SELECT EXISTS (
          SELECT 1 FROM \(identifier: referring)
          WHERE \(identifier: column) = \(table.plan.lookups[index].bind(row)))
        """
      if try fetchOne(sql, { try $0.value(Bool.self) }) == true { return (referring, column) }
    }
    return nil
  }

  private func target(of reference: Reference) throws -> String? {
    try reference.column ?? primaryKey(of: reference.table)
  }

  /// The only column of a table's primary key; `nil` if there are several, or none.
  private func primaryKey(of table: String) throws -> String? {
    try fetch("SELECT name FROM pragma_table_info(\(table)) WHERE pk > 0") {
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
