extension Writer {
  /// Recreates a table with another schema and copies its rows, inside a migration.
  ///
  /// ```swift
  /// try writer.rebuild(
  ///   "charters",
  ///   as: "CREATE TABLE charters (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL) STRICT",
  ///   copying: ["title": "name"])
  /// ```
  ///
  /// This is SQLite's procedure for changes that `ALTER TABLE` does not support
  /// (<https://sqlite.org/lang_altertable.html#otheralter>). Rows keep their row ids, unless the
  /// new table has none or its key replaces them. The table's indexes and triggers are created
  /// again; views, and references and triggers of other tables, stay. The migration fails if one of
  /// these still names a removed column: drop such an index, trigger, or view first, and create it
  /// again.
  ///
  /// - Parameters:
  ///   - name: The name of the table, which does not change.
  ///   - creation: A `CREATE TABLE` statement of that name, and further statements to run
  ///     afterwards, such as `CREATE INDEX`. An index that is created here replaces the former one
  ///     of its name.
  ///   - expressions: SQL expressions over the old columns, by new column. Any other column
  ///     receives the value of the old column of its name, or else its default.
  /// - Throws: ``DatabaseError``: `transaction` outside a migration, `notFound` if the table does
  ///   not exist, `declaration` if `creation` creates another table or an expression has no column,
  ///   `constraint` if a row does not satisfy the new schema.
  package func rebuild(
    _ name: String, as creation: String, copying expressions: [String: String] = [:]
  ) throws {
    try TableRebuild(connection, name, creation, expressions).run()
  }
}

/// The rebuild of a table.
struct TableRebuild {
  private let connection: Connection
  private let name: String
  private let creation: TableCreation
  private let expressions: [String: String]
  private let temporaryName: String

  init(
    _ connection: Connection, _ name: String, _ creation: String, _ expressions: [String: String]
  ) throws {
    self.connection = connection
    self.name = name
    self.creation = try TableCreation(creation, of: name)
    self.expressions = expressions
    temporaryName = "_rebuilt_" + name
  }

  func run() throws {
    try requireMigration()
    let catalog = SchemaCatalog(connection)
    let old = try catalog.columns(of: name)
    guard !old.isEmpty, let wasWithoutRowID = try catalog.options()[name]?.isWithoutRowID else {
      throw problem(.notFound, "There is no such table to rebuild. Create it instead.")
    }
    let dependents = try dependents()
    let sequence = try sequence()
    try connection.run(SQL(raw: creation.sql(named: temporaryName)))
    try copyRows(old, try catalog.columns(of: temporaryName), wasWithoutRowID: wasWithoutRowID)
    try connection.run("DROP TABLE \(identifier: name)")
    try rename()
    if let sequence { try restore(sequence) }
    if let rest = creation.rest { try connection.run(SQL(raw: rest)) }
    try restore(dependents)
    try TextIndexUpkeep(connection).recreate(name)
  }

  /// Checks that references are not enforced. Otherwise, dropping the table would delete the rows
  /// that refer to it.
  private func requireMigration() throws {
    let isEnforced = try connection.fetch("PRAGMA foreign_keys") { try $0.value(Bool.self) }
    guard isEnforced != [true] else {
      throw problem(.transaction, "A table can be rebuilt only inside a migration. Move it there.")
    }
  }

  /// Renames the new table by the legacy rules of `ALTER TABLE`.
  ///
  /// By the current rules, renaming would fail if views or triggers of other tables name the table,
  /// which is missing at this moment.
  private func rename() throws {
    try connection.unguarded {
      try connection.run("PRAGMA legacy_alter_table = ON")
      defer { _ = try? connection.run("PRAGMA legacy_alter_table = OFF") }
      try connection.run("ALTER TABLE \(identifier: temporaryName) RENAME TO \(identifier: name)")
    }
  }

  // MARK: - Rows

  private func copyRows(
    _ old: [SchemaCatalog.Column], _ new: [SchemaCatalog.Column], wasWithoutRowID: Bool
  ) throws {
    let names = new.map(\.name)
    if let unknown = expressions.keys.sorted().first(where: { !names.contains($0) }) {
      throw problem(.declaration, "The new table has no column “\(unknown)” to copy to.")
    }
    var pairs = new.filter { !$0.isGenerated }.compactMap { column in
      source(of: column.name, in: old).map { (column.name.quotedIdentifier, $0) }
    }
    if !wasWithoutRowID, let rowID = try rowIDName(old, new) { pairs.append((rowID, rowID)) }
    guard !pairs.isEmpty else { return }
    let targets = pairs.map(\.0).joined(separator: ", ")
    let sources = pairs.map(\.1).joined(separator: ", ")
    let copy =
      "INSERT INTO \(temporaryName.quotedIdentifier) (\(targets)) "
      + "SELECT \(sources) FROM \(name.quotedIdentifier)"
    guard let opening = connection.opening else {
      _ = try connection.run(SQL(raw: copy))
      return
    }
    let total = try connection.fetch("SELECT count(*) FROM \(identifier: name)") {
      try $0.value(Int.self)
    }.first
    try connection.countRows(of: copy) { opening.copied($0, of: total ?? 0) }
  }

  private func source(of column: String, in old: [SchemaCatalog.Column]) -> String? {
    if let expression = expressions[column] { return expression }
    return old.first { $0.name.lowercased() == column.lowercased() }?.name.quotedIdentifier
  }

  /// Returns a name for the row id that neither table has as a column; `nil` if the new table has
  /// no row ids, or if its integer key is copied.
  private func rowIDName(
    _ old: [SchemaCatalog.Column], _ new: [SchemaCatalog.Column]
  ) throws -> String? {
    let options = try SchemaCatalog(connection).options()[temporaryName]
    let keys = new.filter { $0.keyPosition > 0 }
    let isNumbered =
      keys.count == 1 && keys[0].type == "INTEGER"
      && source(of: keys[0].name, in: old) != nil
    guard options?.isWithoutRowID == false, !isNumbered else { return nil }
    let taken = Set((old + new).map { $0.name.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
  }

  // MARK: - Indexes, triggers and sequence

  /// Returns the indexes and triggers of the table, in the order of their creation.
  private func dependents() throws -> [(name: String, sql: String)] {
    try connection.fetch(
      """
      SELECT name, sql FROM sqlite_schema
      WHERE type IN ('index', 'trigger') AND tbl_name = \(name) AND sql IS NOT NULL
        AND substr(name, 1, 6) <> \(TextIndexNames.prefix) ORDER BY rowid
      """
    ) { (name: try $0.value(String.self), sql: try $0.value(String.self)) }
  }

  private func restore(_ dependents: [(name: String, sql: String)]) throws {
    let made = Set(try self.dependents().map(\.name))
    for dependent in dependents where !made.contains(dependent.name) {
      do {
        try connection.run(SQL(raw: dependent.sql))
      } catch let cause as DatabaseError {
        var error = problem(
          cause.code,
          "“\(dependent.name)” does not fit the rebuilt table; drop it before, and create it anew. "
            + cause.message)
        error.sql = dependent.sql
        error.cause = cause
        throw error
      }
    }
  }

  /// Returns the highest number that an `AUTOINCREMENT` key has had
  /// (<https://sqlite.org/autoinc.html>).
  private func sequence() throws -> Int64? {
    let hasTable = try connection.fetch(
      "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'"
    ) { _ in true }
    guard hasTable == [true] else { return nil }
    return try connection.fetch("SELECT seq FROM sqlite_sequence WHERE name = \(name)") {
      try $0.value(Int64.self)
    }.first
  }

  private func restore(_ sequence: Int64) throws {
    guard creation.isAutoincrement else { return }
    try connection.run("DELETE FROM sqlite_sequence WHERE name = \(name)")
    try connection.run("INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(sequence))")
  }

  private func problem(_ code: DatabaseError.Code, _ message: String) -> DatabaseError {
    var error = DatabaseError(code, message)
    error.table = name
    return error
  }
}
