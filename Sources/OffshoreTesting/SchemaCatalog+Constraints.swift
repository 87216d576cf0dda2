import Offshore

/// The parts of the catalog that only comparisons of schemas read.
extension SchemaCatalog {
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

  /// Returns the columns of an index, and whether it orders them as they are declared.
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
    // SQLite numbers foreign keys from the last to the first, and does not report which are
    // deferred.
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
