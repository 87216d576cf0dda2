import CSQLite

/// The entries of SQLite's schema catalog.
package struct SchemaCatalog {
  /// One entry of `sqlite_schema` (<https://sqlite.org/schematab.html>).
  package struct Entry {
    package let kind: String
    package let name: String
    let table: String
    package let sql: String

    package var isVirtual: Bool {
      kind == "table" && SQLTokens(sql).tokens.dropFirst().first?.is("VIRTUAL") == true
    }
  }

  /// A table's kind and options.
  package struct Options {
    let kind: String
    package let isWithoutRowID: Bool
    package let isStrict: Bool
  }

  /// A column of a table.
  package struct Column {
    package let name: String
    /// The declared type in uppercase; empty if none is declared.
    package let type: String
    package let isNullable: Bool
    /// The default in SQL, with uniform spacing.
    package let defaultSQL: String?
    /// The position in the primary key, from 1; 0 for a column that is not part of it.
    package let keyPosition: Int
    package let collation: String
    package let isGenerated: Bool
  }

  package let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  /// Returns the app's own entries, sorted by kind and name, without those of SQLite, the library,
  /// and virtual tables.
  package func entries() throws -> [Entry] {
    let options = try options()
    let all = try connection.fetch(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE '\\_%' ESCAPE '\\' AND tbl_name NOT LIKE '\\_%' ESCAPE '\\'
      ORDER BY type, name
      """
    ) { row in
      Entry(
        kind: try row.value(String.self), name: try row.value(String.self),
        table: try row.value(String.self), sql: try row.value(String.self))
    }
    return all.filter { options[$0.table]?.kind != "shadow" }
  }

  /// Returns the kind and options of each table, by name.
  package func options() throws -> [String: Options] {
    let rows = try connection.fetch(
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'"
    ) { row in
      (
        try row.value(String.self),
        Options(
          kind: try row.value(String.self), isWithoutRowID: try row.value(Bool.self),
          isStrict: try row.value(Bool.self))
      )
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the columns in stored order, including generated ones.
  package func columns(of table: String) throws -> [Column] {
    try connection.fetch(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(\(table))
      ORDER BY cid
      """
    ) { row in
      let name = try row.value(String.self)
      return Column(
        name: name, type: SQLTokens(try row.value(String.self)).text.uppercased(),
        isNullable: try !row.value(Bool.self),
        defaultSQL: try row.value(String?.self).map { SQLTokens($0).text },
        keyPosition: try row.value(Int.self), collation: collation(of: name, in: table),
        isGenerated: try row.value(Int.self) > 1)
    }
  }

  /// Returns the collation of a column, for example `NOCASE`.
  package func collation(of column: String, in table: String) -> String {
    var collation: UnsafePointer<CChar>?
    sqlite3_table_column_metadata(
      connection.handle, "main", table, column, nil, &collation, nil, nil, nil)
    return collation.map { String(cString: $0).uppercased() } ?? "BINARY"
  }
}
