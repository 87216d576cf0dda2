import CSQLite

/// What SQLite's catalog says, entry by entry.
struct SchemaCatalog {
  /// One entry of `sqlite_schema` (<https://sqlite.org/schematab.html>).
  struct Entry {
    let kind: String
    let name: String
    let table: String
    let sql: String

    var isVirtual: Bool {
      kind == "table" && SQLTokens(sql).tokens.dropFirst().first?.is("VIRTUAL") == true
    }
  }

  /// A table's kind and options.
  struct Options {
    let kind: String
    let isWithoutRowID: Bool
    let isStrict: Bool
  }

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The app's own entries, ordered by kind and name: those that SQLite, the library, and virtual
  /// tables keep for themselves are left out.
  func entries() throws -> [Entry] {
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

  /// The kind and options of each table, by name.
  func options() throws -> [String: Options] {
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

  func columns(of table: String) throws -> [Schema.Column] {
    try connection.fetch(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(\(table))
      ORDER BY cid
      """
    ) { row in
      let name = try row.value(String.self)
      return Schema.Column(
        name: name, type: SQLTokens(try row.value(String.self)).text.uppercased(),
        isNullable: try !row.value(Bool.self),
        defaultSQL: try row.value(String?.self).map { SQLTokens($0).text },
        keyPosition: try row.value(Int.self), collation: collation(of: name, in: table),
        isGenerated: try row.value(Int.self) > 1)
    }
  }

  private func collation(of column: String, in table: String) -> String {
    var collation: UnsafePointer<CChar>?
    sqlite3_table_column_metadata(
      connection.handle, "main", table, column, nil, &collation, nil, nil, nil)
    return collation.map { String(cString: $0).uppercased() } ?? "BINARY"
  }

  func indexes(of table: String, _ entries: [Entry]) throws -> [Schema.Index] {
    let list = try connection.fetch(
      """
      SELECT name, "unique", origin, partial FROM pragma_index_list(\(table))
      WHERE origin <> 'pk' AND name NOT LIKE '\\_%' ESCAPE '\\'
      """
    ) { row in
      (
        name: try row.value(String.self), isUnique: try row.value(Bool.self),
        isNamed: try row.value(String.self) == "c", isPartial: try row.value(Bool.self)
      )
    }
    return try list.map { index in
      let (columns, isPlain) = try columns(ofIndex: index.name, in: table)
      let sql = entries.first { $0.kind == "index" && $0.name == index.name }?.sql ?? ""
      return Schema.Index(
        name: index.isNamed ? index.name : nil, columns: columns, isUnique: index.isUnique,
        sql: isPlain && !index.isPartial ? nil : SQLTokens(sql).text)
    }.sorted {
      ($0.columns.joined(separator: ","), $0.name ?? "")
        < ($1.columns.joined(separator: ","), $1.name ?? "")
    }
  }

  /// The columns of an index, and whether it orders them as they are declared.
  private func columns(
    ofIndex index: String, in table: String
  ) throws -> (names: [String], isPlain: Bool) {
    let rows = try connection.fetch(
      "SELECT name, \"desc\", coll FROM pragma_index_xinfo(\(index)) WHERE key ORDER BY seqno"
    ) { row in
      (
        name: try row.value(String?.self), isDescending: try row.value(Bool.self),
        collation: try row.value(String.self)
      )
    }
    let isPlain = rows.allSatisfy { row in
      row.name.map { collation(of: $0, in: table) == row.collation.uppercased() } == true
        && !row.isDescending
    }
    let names = rows.compactMap(\.name)
    return (names.count == rows.count ? names : [], isPlain)
  }

  func foreignKeys(of table: String, _ tokens: SQLTokens) throws -> [Schema.ForeignKey] {
    let rows = try connection.fetch(
      """
      SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(\(table))
      ORDER BY id, seq
      """
    ) { row in
      (
        id: try row.value(Int.self), table: try row.value(String.self),
        from: try row.value(String.self), to: try row.value(String?.self),
        onDelete: try row.value(String.self), onUpdate: try row.value(String.self)
      )
    }
    // SQLite numbers foreign keys from the last to the first, and does not tell which are deferred.
    let deferred = Array(tokens.deferredReferences.reversed())
    return Dictionary(grouping: rows, by: \.id).compactMap { id, rows in
      rows.first.map { first in
        Schema.ForeignKey(
          columns: rows.map(\.from), table: first.table, targets: rows.compactMap(\.to),
          onDelete: ReferenceAction(rawValue: first.onDelete) ?? .noAction,
          onUpdate: ReferenceAction(rawValue: first.onUpdate) ?? .noAction,
          isDeferred: deferred.indices.contains(id) && deferred[id])
      }
    }.sorted { $0.line < $1.line }
  }
}
