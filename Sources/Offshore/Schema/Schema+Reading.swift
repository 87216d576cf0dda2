extension Schema {
  /// Reads the schema of a database.
  /// - Throws: ``DatabaseError`` where the file cannot be read.
  public init(_ reader: Reader) throws {
    try self.init(reader.connection)
  }

  init(_ connection: Connection) throws {
    let catalog = SchemaCatalog(connection)
    let entries = try catalog.entries()
    let options = try catalog.options()
    tables = try entries.filter { $0.kind == "table" && !$0.isVirtual }.map { entry in
      let tokens = SQLTokens(entry.sql)
      return Table(
        name: entry.name, columns: try catalog.columns(of: entry.name),
        indexes: try catalog.indexes(of: entry.name, entries),
        foreignKeys: try catalog.foreignKeys(of: entry.name, tokens),
        checks: tokens.checks.sorted(),
        isWithoutRowID: options[entry.name]?.isWithoutRowID ?? false,
        isStrict: options[entry.name]?.isStrict ?? false)
    }
    objects = entries.compactMap { entry in
      if entry.isVirtual {
        return Object(kind: "virtual table", name: entry.name, sql: entry.sql)
      }
      guard ["view", "trigger"].contains(entry.kind) else { return nil }
      return Object(kind: entry.kind, name: entry.name, sql: SQLTokens(entry.sql).text)
    }.sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
  }
}
