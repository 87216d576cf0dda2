extension Connection {
  /// Runs the migrations that the file lacks, each in a transaction of its own.
  ///
  /// References are not enforced while a migration runs; they are checked before it is committed,
  /// and so are views and triggers. If one fails, the file is as it was before that one; those
  /// before it are complete and stay. Several processes may do this at the same time: each migration
  /// runs once.
  ///
  /// A file that has migrations already is copied before the first new one to
  /// `<file>.before-<migration>.backup`, which stays beside it until a later run makes another.
  ///
  /// A debug build then compares the tables that steps declare with the file, and the steps with those
  /// that the file has run, and passes what differs to ``DatabaseConfiguration/reportProblem``.
  ///
  /// - Returns: the names of the migrations that this call ran; empty if the file had all.
  /// - Throws: ``DatabaseError``: `newerVersion` if the file has migrations that are not in the
  ///   list, or in another order; `declaration` if two have the same name; `migrationFailed`;
  ///   if no backup could be made, the code of its failure, for example `diskFull`.
  @discardableResult
  public func migrate(_ migrations: Migrations) throws -> [String] {
    try migrations.check()
    let pending = try migrations.pending(after: appliedMigrations())
    if untouchedFile != nil, let next = pending.first {
      throw DatabaseError(
        .readOnly,
        "The file lacks migration “\(next.name)”, and is open for reading alone. Open it once without "
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

  /// The names of the migrations that the file has, in order.
  package func appliedMigrations() throws -> [String] {
    let hasTable = try fetch("SELECT 1 FROM sqlite_schema WHERE name = '_migrations'") { _ in true }
    guard hasTable == [true] else { return [] }
    return try fetch("SELECT name FROM _migrations ORDER BY position") { row in
      try row.value(String.self)
    }
  }

  // MARK: - Records of migrations

  /// Records that the file has a migration, and the digests of its steps and of those before it that
  /// have none so far.
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

  /// The digests of the migrations that the file has, by name; none for closures, and for those that
  /// a former version of the library ran.
  package func migrationDigests() throws -> [String: String] {
    guard try hasDigests() else { return [:] }
    let rows = try fetch("SELECT name, digest FROM _migrations WHERE digest IS NOT NULL") {
      (try $0.value(String.self), try $0.value(String.self))
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// A sentence for each migration whose steps differ from those that the file has run.
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
