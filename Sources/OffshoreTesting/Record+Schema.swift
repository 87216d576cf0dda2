public import Offshore

extension Schema {
  /// Returns the differences from the declarations of tables, one sentence each; empty if they
  /// agree.
  ///
  /// The comparison covers columns, types, nullability, collations, keys, indexes, references and
  /// checks. It ignores tables that are not declared, and properties that a declaration may omit:
  /// the order of columns, a default, generated columns, and indexes on more than columns. A UNIQUE
  /// constraint equals a unique index on the same columns.
  public func differences(from records: [any Record.Type]) -> [String] {
    records.flatMap { $0.differences(in: self) }
  }
}

extension Record {
  fileprivate static func differences(in schema: Schema) -> [String] {
    do {
      let expected = Schema.Table(try TableDeclaration(table))
      guard let found = schema.table(table.name) else {
        return ["\(table.name): expected a table, found none"]
      }
      return schema.differences(of: found, from: expected)
    } catch {
      return ["\(table.name): \((error as? DatabaseError)?.message ?? "\(error)")"]
    }
  }
}

extension Schema {
  /// Returns the differences between a real table and a declared one, after both are normalized.
  fileprivate func differences(of found: Table, from expected: Table) -> [String] {
    let found = comparable(found.reduced(to: expected))
    let expected = comparable(expected).withoutNames(unlike: found)
    return Difference.sentences(
      expected: [expected.name: expected],
      found: [found.name: found.withoutNames(unlike: expected)])
  }

  /// Returns the table in a normal form, because some properties can be declared in several forms.
  private func comparable(_ table: Table) -> Table {
    var table = table
    table.foreignKeys = table.foreignKeys.map { key in
      var key = key
      if key.targets.isEmpty {
        let target = key.table == table.name ? table : self.table(key.table)
        key.targets = target?.primaryKey ?? []
      }
      return key
    }
    // The primary key is always unique.
    let key = table.primaryKey
    table.indexes.removeAll { $0.name == nil && $0.columns == key }
    for index in table.columns.indices {
      table.columns[index].defaultSQL = table.columns[index].defaultSQL?.plainDefault
    }
    // The row id cannot be NULL, regardless of its declaration.
    if key.count == 1, !table.isWithoutRowID {
      for index in table.columns.indices
      where table.columns[index].keyPosition > 0 && table.columns[index].type == "INTEGER" {
        table.columns[index].isNullable = false
      }
    }
    return table
  }
}

extension Schema.Table {
  /// Creates the table of a declaration.
  fileprivate init(_ declaration: TableDeclaration) {
    name = declaration.name
    let key = declaration.key
    columns = declaration.columns.map { column in
      Schema.Column(
        name: column.name, type: SQLTokens(column.sqlType).text.uppercased(),
        isNullable: column.isNullable, defaultSQL: column.defaultSQL.map { SQLTokens($0).text },
        keyPosition: (key.firstIndex(of: column.name) ?? -1) + 1,
        collation: (column.collation ?? .binary).rawValue, isGenerated: false)
    }
    indexes =
      declaration.columns.filter(\.isUnique).map {
        Schema.Index(name: nil, columns: [$0.name], isUnique: true, sql: nil)
      }
      + declaration.indexes.map {
        Schema.Index(name: $0.name, columns: $0.columns, isUnique: $0.isUnique, sql: nil)
      }
    foreignKeys = declaration.columns.compactMap { column in
      column.reference.map { Schema.ForeignKey(column.name, $0) }
    }
    checks = declaration.columns.compactMap(\.checkSQL).map { SQLTokens($0).text }
    isWithoutRowID = declaration.isWithoutRowID
    isStrict = declaration.isStrict
  }

  /// Returns the table without the properties that a declaration may omit.
  fileprivate func reduced(to declared: Schema.Table) -> Schema.Table {
    var table = self
    table.indexes.removeAll { $0.sql != nil }
    table.columns.removeAll { column in
      column.isGenerated && !declared.columns.contains { $0.name == column.name }
    }
    for index in table.columns.indices {
      let other = declared.columns.first { $0.name == table.columns[index].name }
      if other?.defaultSQL == nil { table.columns[index].defaultSQL = nil }
    }
    let order = Dictionary(
      declared.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    table.columns.sort { order[$0.name, default: .max] < order[$1.name, default: .max] }
    return table
  }

  /// Returns the table without the names of unique indexes for which the other table has a
  /// constraint.
  fileprivate func withoutNames(unlike other: Schema.Table) -> Schema.Table {
    var table = self
    for (number, index) in table.indexes.enumerated() where index.isUnique {
      let matches = other.indexes.filter { $0.isUnique && $0.columns == index.columns }
      if matches.contains(where: { $0.name == nil }) { table.indexes[number].name = nil }
    }
    return table
  }
}

extension Schema.ForeignKey {
  fileprivate init(_ column: String, _ reference: Reference) {
    self.init(
      columns: [column], table: reference.table,
      targets: reference.column.map { [$0] } ?? [], onDelete: reference.onDelete,
      onUpdate: reference.onUpdate, isDeferred: reference.isDeferred)
  }
}

extension String {
  /// The default in a normal form: `(1)`, `1.0`, and `TRUE` are all `1.0`.
  fileprivate var plainDefault: String {
    var text = self
    while text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
    switch text.uppercased() {
    case "TRUE": return "1.0"
    case "FALSE": return "0.0"
    default: return Double(text).map { String($0) } ?? text
    }
  }
}
