import CSQLite

/// The creation of the text indexes of a file, and their updates after changes of their tables.
package struct TextIndexUpkeep {
  let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  // MARK: - Existing indexes

  /// Returns the tables that have a text index.
  package func tables() throws -> [String] {
    let (prefix, suffix) = (TextIndexNames.prefix, TextIndexNames.indexSuffix)
    return try connection.fetch(
      """
      SELECT substr(name, \(prefix.count + 1), length(name) - \(prefix.count + suffix.count))
      FROM sqlite_schema
      WHERE type = 'table' AND substr(name, 1, \(prefix.count)) = \(prefix)
        AND substr(name, \(-suffix.count)) = \(suffix)
        AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name
      """
    ) { try $0.value(String.self) }
  }

  /// Returns the columns of a table's text index; empty if it has none.
  package func columns(of table: String) throws -> [String] {
    try connection.fetch(
      "SELECT name FROM pragma_table_info(\(TextIndexNames(table: table).index)) ORDER BY cid"
    ) { try $0.value(String.self) }
  }

  /// Returns the statements that create the text index of a table, for a file without rows.
  package func creation(of table: String) throws -> [String] {
    try schema(TextIndexNames(table: table)).creation
  }

  /// Returns the text index of a table in the file, which is read once for each version of the
  /// schema.
  private func schema(_ names: TextIndexNames) throws -> TextIndexSchema {
    let version = connection.schemaVersion
    if connection.textIndexSchemas.version != version {
      connection.textIndexSchemas = (version, [:])
    }
    if let known = connection.textIndexSchemas.byTable[names.table] { return known }
    let schema = try TextIndexSchema(names, columns: columns(of: names.table), connection)
    connection.textIndexSchemas.byTable[names.table] = schema
    return schema
  }

  // MARK: - Creating

  /// Creates the text index of a table in one of its forms, if that has columns of the index.
  func create(_ form: TableDeclaration) throws {
    guard !form.textColumns.isEmpty else { return }
    try create(TextIndexNames(table: form.name), columns: form.textColumns)
  }

  func create(_ names: TextIndexNames, columns: [String]) throws {
    try requireModule("fts5")
    let schema = try TextIndexSchema(names, columns: columns, connection)
    if try self.columns(of: names.table) == columns, try isComplete(schema) { return }
    try drop(names)
    for sql in schema.creation { try connection.run(SQL(raw: sql)) }
    // NB: A rollback to a savepoint discards FTS5's data in memory only if another savepoint has
    // begun after the table was created. Otherwise FTS5 would write the data at the next statement,
    // to tables that do not exist any more.
    try connection.savepoint { try fill(schema) }
  }

  func drop(_ names: TextIndexNames) throws {
    connection.changedTextQueues.remove(names.queue)
    connection.textIndexSchemas = (-1, [:])
    for event in ["inserted", "changing", "moved", "deleting"] {
      try connection.run("DROP TRIGGER IF EXISTS \(identifier: names.trigger(event))")
    }
    try connection.run("DROP VIEW IF EXISTS \(identifier: names.content)")
    for name in [names.index, names.queue, names.keys] {
      try connection.run("DROP TABLE IF EXISTS \(identifier: name)")
    }
  }

  /// Checks that this SQLite has a module.
  /// - Throws: ``DatabaseError`` with code `other` if it has not.
  func requireModule(_ name: String) throws {
    let found = try connection.fetch("SELECT 1 FROM pragma_module_list WHERE name = \(name)") { _ in
      true
    }
    guard found.isEmpty else { return }
    throw DatabaseError(
      .other,
      "This SQLite is built without \(name.uppercased()), which text indexes need. Install one with it."
    )
  }

  private func isComplete(_ schema: TextIndexSchema) throws -> Bool {
    let made = try connection.fetch(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = \(schema.names.table)"
    ) { try $0.value(String.self) }
    return schema.creation.filter { $0.hasPrefix("CREATE TRIGGER") }.allSatisfy(made.contains)
  }

  private func fill(_ schema: TextIndexSchema) throws {
    try connection.run("DELETE FROM \(identifier: schema.names.queue)")
    if !schema.isNumbered {
      let names = schema.storedKeyNames.joined(separator: ", ")
      try connection.run("DELETE FROM \(identifier: schema.names.keys)")
      try connection.run(
        SQL(
          raw: "INSERT INTO \(schema.keys) (\(names)) "
            + "SELECT \(schema.keyNames.joined(separator: ", ")) FROM \(schema.table) "
            + "WHERE \(schema.hasKey(schema.table))"))
    }
    try connection.run(SQL(raw: "INSERT INTO \(schema.index) (\(schema.index)) VALUES ('rebuild')"))
  }

  // MARK: - Updating

  /// Indexes the queued rows of all indexes whose queues the transaction has changed.
  func flush() throws {
    guard !connection.changedTextQueues.isEmpty else { return }
    // NB: A cancellation between two statements would leave a partial update to a closure that
    // catches the error.
    let cancellation = connection.cancellation
    connection.cancellation = nil
    defer { connection.cancellation = cancellation }
    // If it fails, its changes are rolled back, and the rows stay in their queues.
    try connection.savepoint {
      while let queue = connection.changedTextQueues.popFirst() {
        try flush(TextIndexNames(queue: queue))
      }
    }
  }

  /// Indexes the queued rows of all indexes, including rows that another program has queued.
  func flushAll() throws {
    for table in try tables() { try flush(TextIndexNames(table: table)) }
  }

  private func flush(_ names: TextIndexNames) throws {
    // An index that a savepoint created does not exist after the savepoint was rolled back.
    guard try !columns(of: names.table).isEmpty else { return }
    let states = try connection.fetch(
      "SELECT DISTINCT _text_state FROM \(identifier: names.queue)"
    ) { try $0.value(Int.self) }
    guard !states.isEmpty else { return }
    let schema = try schema(names)
    if states.contains(2) { return try fill(schema) }
    for sql in schema.indexing { try connection.run(sql) }
  }

  /// Repairs text indexes after a migration: drops indexes without a table, and recreates those
  /// that have lost their triggers with a former table.
  func restoreAfterMigration() throws {
    connection.changedTextQueues = []
    for table in try tables() {
      let names = TextIndexNames(table: table)
      guard
        try connection.fetch(
          "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(table)", { _ in true })
          == [true]
      else {
        try drop(names)
        continue
      }
      if try isComplete(schema(names)) { try flush(names) } else { try recreate(table) }
    }
  }

  /// Recreates the text index of a table, if it has one.
  func recreate(_ table: String) throws {
    let columns = try columns(of: table)
    guard !columns.isEmpty else { return }
    let names = TextIndexNames(table: table)
    let schema = try TextIndexSchema(names, columns: columns, connection)
    try drop(names)
    try create(schema.names, columns: columns)
  }

  // MARK: - Checking

  func verify(_ names: TextIndexNames) throws {
    try flush(names)
    let schema = try schema(names)
    if !schema.isNumbered {
      let counts = try connection.fetch(
        SQL(
          raw:
            "SELECT (SELECT count(*) FROM \(schema.keys)), (SELECT count(*) FROM \(schema.table) "
            + "WHERE \(schema.hasKey(schema.table))), (SELECT count(*) FROM \(schema.numberedRows))"
        )
      ) { [try $0.value(Int.self), try $0.value(Int.self), try $0.value(Int.self)] }
      guard Set(counts.joined()).count == 1 else { throw differenceError(names) }
    }
    do {
      try connection.run(
        SQL(
          raw: "INSERT INTO \(schema.index) (\(schema.index), rank) VALUES ('integrity-check', 1)"))
    } catch let error as DatabaseError where error.code == .corrupted {
      throw differenceError(names)
    }
  }

  /// Compares the text index of a table with the texts of all rows.
  /// - Throws: ``DatabaseError`` with code `corrupted` if they differ.
  package func verify(_ table: String) throws { try verify(TextIndexNames(table: table)) }

  private func differenceError(_ names: TextIndexNames) -> DatabaseError {
    var error = DatabaseError(
      .corrupted, "The text index does not agree with the rows. Make it anew by rebuild(_:).")
    error.table = names.table
    return error
  }
}

extension Connection {
  /// Indexes the rows that another program has queued for text indexes.
  func indexQueuedTexts() throws {
    let upkeep = TextIndexUpkeep(self)
    guard try !upkeep.tables().isEmpty else { return }
    try write { _ in try upkeep.flushAll() }
  }
}
