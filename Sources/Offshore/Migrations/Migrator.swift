/// One run of migrations on a connection.
package struct Migrator {
  private let connection: Connection
  private let migrations: Migrations
  private let backup: MigrationBackup
  private var applied: [String] = []
  /// The names of the backups of earlier runs, which are deleted when this run succeeds.
  private var outdatedBackups: [String] = []
  /// The current step, with its number from 1.
  private var current: (number: Int, step: MigrationStep)?

  init(_ connection: Connection, _ migrations: Migrations) {
    self.connection = connection
    self.migrations = migrations
    backup = MigrationBackup(connection)
  }

  /// Runs migrations that the file lacked before the first transaction.
  /// - Returns: The names of the migrations that this run has performed.
  mutating func run(_ pending: ArraySlice<Migration>) throws -> [String] {
    guard connection.transaction.mode == .none else {
      throw DatabaseError(.transaction, "A transaction is open. Migrate before or after it.")
    }
    // NB: This pragma does nothing inside a transaction (https://sqlite.org/pragma.html).
    try connection.run("PRAGMA foreign_keys = OFF")
    defer { _ = try? connection.unobserved { try connection.run("PRAGMA foreign_keys = ON") } }
    for (index, migration) in zip(pending.indices, pending) {
      connection.opening?.begin(
        MigrationProgress(
          migration: migration.name, position: index - pending.startIndex + 1,
          count: pending.count))
      try runInTransaction(migration, isFirst: index == pending.startIndex)
    }
    backup.remove(outdatedBackups)
    return applied
  }

  private mutating func runInTransaction(_ migration: Migration, isFirst: Bool) throws {
    try connection.begin(.write)
    do {
      // Another process may have run it while this one waited for the write lock.
      let before = try connection.appliedMigrations()
      guard try migrations.pending(after: before).first?.name == migration.name else {
        return connection.rollBack()
      }
      // If another process has run the first one, that process has also made the backup.
      if isFirst, !before.isEmpty { outdatedBackups = try backup.make(before: migration.name) }
      try perform(migration, position: before.count + 1)
      applied.append(migration.name)
    } catch {
      connection.unobserved { connection.rollBack() }
      throw connection.opening?.isCancelled == true ? CancellationError() : error
    }
  }

  private mutating func perform(_ migration: Migration, position: Int) throws {
    do {
      // NB: The steps of ``Connection/beforeRelease`` do not run: a migration is not a change of
      // data.
      try dropInternalParts()
      try runSteps(of: migration, later: migrations.all[position...].flatMap(\.steps))
      try connection.requireTransaction()
      try TextIndexUpkeep(connection).restoreAfterMigration()
      try connection.record(migration, position: position, of: migrations)
      try checkReferences()
      try connection.checkViewsAndTriggers()
      try connection.commit()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw failure(of: migration, error)
    }
  }

  private mutating func runSteps(of migration: Migration, later: [MigrationStep]) throws {
    for (index, step) in migration.steps.enumerated() {
      current = (index + 1, step)
      let runner = StepRunner(
        connection: connection, later: (migration.steps[(index + 1)...] + later)[...])
      try connection.guarded { try runner.run(step) }
    }
    current = nil
  }

  /// Drops the library's triggers and its indexes of the app's tables, so that a migration does not fire them,
  /// and none of them names a removed column.
  ///
  /// The parts of the library that created them create them again afterwards. The triggers of text
  /// indexes stay, and queue the changes of the migration.
  private func dropInternalParts() throws {
    let found = try connection.fetch(
      """
      SELECT type, name FROM sqlite_schema
      WHERE type = 'trigger' AND name LIKE '\\_%' ESCAPE '\\'
          AND name NOT LIKE '\\_text\\_%' ESCAPE '\\'
        OR type = 'index' AND name LIKE '\\_capture\\_%' ESCAPE '\\'
      """
    ) { (try $0.value(String.self), try $0.value(String.self)) }
    for (type, name) in found { try connection.run("DROP \(SQL(raw: type)) \(identifier: name)") }
  }

  package static let tableSQL: SQL = """
    CREATE TABLE IF NOT EXISTS _migrations (
      name TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL, appliedAt TEXT)
    """

  // MARK: - Checks

  /// Checks that all references lead to existing rows.
  /// - Throws: ``DatabaseError`` with code `danglingReference` and the number of rows by table.
  private func checkReferences() throws {
    let tables = try connection.fetch("PRAGMA foreign_key_check") { try $0.value(String.self) }
    guard !tables.isEmpty else { return }
    let counts = Dictionary(grouping: tables, by: \.self).sorted { $0.key < $1.key }
      .map { "\($1.count) in “\($0)”" }.joined(separator: ", ")
    var error = DatabaseError(
      .danglingReference,
      "Rows refer to others that do not exist: \(counts). Correct or delete them in the migration.")
    error.table = tables.first
    throw error
  }

  private func failure(of migration: Migration, _ cause: any Error) -> DatabaseError {
    let detail = cause as? DatabaseError
    let reason = detail?.message ?? "It threw \(type(of: cause))."
    let names = applied.map { "“\($0)”" }.joined(separator: ", ")
    let earlier = applied.isEmpty ? "" : " Those before it are complete: \(names)."
    var error = DatabaseError(
      .migrationFailed,
      "Migration “\(migration.name)” was undone; the file is as it was before it.\(earlier) "
        + place(in: migration) + reason + statement(detail?.sql) + hint(reason)
    )
    error.resultCode = detail?.resultCode ?? 0
    error.table = detail?.table
    error.column = detail?.column
    error.constraint = detail?.constraint
    error.sql = detail?.sql
    error.arguments = detail?.arguments ?? []
    error.cause = cause
    return error
  }

  private func place(in migration: Migration) -> String {
    guard let current, migration.steps.count > 1 else { return "" }
    return "Step \(current.number), \(current.step), failed. "
  }

  /// Returns the failed statement on one line, shortened, and without string literals, which may be
  /// stored values.
  private func statement(_ sql: String?) -> String {
    guard let sql else { return "" }
    let tokens = SQLTokens(sql).tokens.map { $0.kind == .string ? "'…'" : $0.text }
    let text = SQLTokens(tokens.joined(separator: " ")).text
    return " The statement: \(text.prefix(200))\(text.count > 200 ? "…" : "")"
  }

  /// Returns the likely reason if SQL does not fit a table that was created from its declaration.
  private func hint(_ reason: String) -> String {
    let isLikely = ["duplicate column name", "no such column", "no such index", "already exists"]
      .contains { reason.contains($0) }
    guard isLikely, !connection.createdByDeclaration.isEmpty else { return "" }
    let tables = connection.createdByDeclaration.sorted().map { "“\($0)”" }
    return
      " \(tables.joined(separator: ", ")): created in this run by declaration, which has moved on "
      + "since. Change such tables by steps, like .addColumn, instead of SQL inside a closure: then new "
      + "files begin with the earlier form."
  }
}
