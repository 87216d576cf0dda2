extension Connection {
  /// Runs the migrations that the file lacks, each in its own transaction.
  ///
  /// References are not enforced while a migration runs. They are checked before its commit, and so
  /// are views and triggers. If a migration fails, it is undone; those before it stay complete.
  /// Several processes can migrate at the same time: each migration runs once.
  ///
  /// A file that already has migrations is copied to `<file>.before-<migration>.backup` before the
  /// first new one. The copy stays beside the file until a later run creates another.
  ///
  /// A debug build also compares the steps with those that the file has run, and the declared
  /// tables with the file. It passes each difference to ``DatabaseConfiguration/reportProblem``.
  ///
  /// - Returns: The names of the migrations that this call has run; empty if the file had all of
  ///   them.
  /// - Throws: ``DatabaseError``: `newerVersion` if the file has migrations that are not in the
  ///   list, or in another order; `declaration` if two have the same name; `migrationFailed` if one
  ///   fails; `readOnly` if the file lacks one and is open for reading only; if the backup fails,
  ///   the code of its failure, for example `diskFull`.
  @discardableResult
  public func migrate(_ migrations: Migrations) throws -> [String] {
    try migrations.check()
    let pending = try migrations.pending(after: appliedMigrations())
    if untouchedFile != nil, let next = pending.first {
      throw DatabaseError(
        .readOnly,
        "The file lacks migration “\(next.name)”, and is open read-only. Open it once without "
          + "isReadOnly.")
    }
    #if DEBUG
      for sentence in try changedMigrations(migrations) { configuration.reportProblem(sentence) }
    #endif
    let ran = pending.isEmpty ? [] : try run(pending, of: migrations)
    #if DEBUG
      reportDifferences(from: migrations)
    #endif
    return ran
  }

  private func run(
    _ pending: ArraySlice<Migration>, of migrations: Migrations
  ) throws -> [String] {
    defer { createdByDeclaration = [] }
    var migrator = Migrator(self, migrations)
    return try migrator.run(pending)
  }

  /// Returns the names of the migrations that the file has, in order.
  package func appliedMigrations() throws -> [String] {
    let hasTable = try fetch("SELECT 1 FROM sqlite_schema WHERE name = '_migrations'") { _ in true }
    guard hasTable == [true] else { return [] }
    return try fetch("SELECT name FROM _migrations ORDER BY position") { row in
      try row.value(String.self)
    }
  }

  // MARK: - Records of migrations

  /// Records that the file has a migration, with its digest. Also stores missing digests of the
  /// migrations before it.
  func record(_ migration: Migration, position: Int, of migrations: Migrations) throws {
    try run(Migrator.tableSQL)
    try run(
      """
      INSERT INTO _migrations (name, position, appliedAt)
      VALUES (\(migration.name), \(position), strftime('%Y-%m-%d %H:%M:%f', 'now'))
      """)
    let digests = migrations.steps.prefix(position).compactMap { step in
      step.digest.map { (name: step.name, digest: $0) }
    }
    guard !digests.isEmpty else { return }
    if try !hasDigests() { try run("ALTER TABLE _migrations ADD COLUMN digest TEXT") }
    for (name, digest) in digests {
      try run(
        "UPDATE _migrations SET digest = \(digest) WHERE name = \(name) AND digest IS NULL")
    }
  }

  /// Returns the digests of the file's migrations by name. Migrations with closures have none, nor
  /// have those that an earlier version of the library has run.
  package func migrationDigests() throws -> [String: String] {
    guard try hasDigests() else { return [:] }
    let rows = try fetch("SELECT name, digest FROM _migrations WHERE digest IS NOT NULL") {
      (try $0.value(String.self), try $0.value(String.self))
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a sentence for each migration whose steps differ from those that the file has run.
  package func changedMigrations(_ migrations: Migrations) throws -> [String] {
    let digests = try migrationDigests()
    return migrations.steps.compactMap { migration in
      guard let old = digests[migration.name], let new = migration.digest, old != new else {
        return nil
      }
      return
        "Migration “\(migration.name)” has changed since the file ran it, and files that have it do "
        + "not run it again. Restore it, and add a migration with the change."
    }
  }

  private func hasDigests() throws -> Bool {
    try !fetch("SELECT 1 FROM pragma_table_info('_migrations') WHERE name = 'digest'") { _ in true }
      .isEmpty
  }
}
