extension Connection {
  /// Runs the migrations that the file lacks, each in a transaction of its own.
  ///
  /// References are not enforced while a migration runs; they are checked before it is committed,
  /// and so are views and triggers. Where one fails, the file is as it was before that one; those
  /// before it are complete and stay. Several processes may do this at the same time: each migration
  /// runs once.
  ///
  /// A file that has migrations already is copied before the first new one to
  /// `<file>.before-<migration>.backup`, which stays beside it until a later run makes another.
  ///
  /// - Returns: the names of the migrations that this call ran; none where the file had all.
  /// - Throws: ``DatabaseError``: `newerVersion` where the file has migrations that are not in the
  ///   list, or in another order; `declaration` where two have the same name; `migrationFailed`;
  ///   where no backup could be made, the code of its failure, for example `diskFull`.
  @discardableResult
  public func migrate(_ migrations: Migrations) throws -> [String] {
    try migrations.check()
    let pending = try migrations.pending(after: appliedMigrations())
    guard let next = pending.first else { return [] }
    guard untouchedFile == nil else {
      throw DatabaseError(
        .readOnly,
        "The file lacks migration “\(next.name)”, and is open for reading alone. Open it once without "
          + "isReadOnly.")
    }
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
}
