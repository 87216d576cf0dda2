/// All migrations of a database, oldest first.
///
/// ```swift
/// let migrations: Migrations = [
///   Migration("v1.0.0_createCharters", .create(Charter.table)),
///   Migration("v1.1.0_addGuests", .addColumn("guests", to: Charter.table)),
/// ]
/// let applied = try connection.migrate(migrations)
/// ```
///
/// Add new migrations at the end. Never remove, rename, or move a migration. `Migrations(array)`
/// creates a list from an array, and `all` is the array of its migrations, each with its `name`.
public struct Migrations: Sendable, ExpressibleByArrayLiteral {
  /// The migrations in order.
  @_documentation(visibility: internal)
  public let all: [Migration]

  /// Creates a list of migrations, oldest first.
  @_documentation(visibility: internal)
  public init(_ migrations: [Migration]) { all = migrations }

  @_documentation(visibility: internal)
  public init(arrayLiteral migrations: Migration...) { self.init(migrations) }

  /// Returns the migrations that a file lacks.
  ///
  /// - Parameter applied: The names of the file's migrations, in order.
  /// - Throws: ``DatabaseError`` with code `newerVersion` if this list does not begin with them.
  func pending(after applied: [String]) throws -> ArraySlice<Migration> {
    let names = all.map(\.name)
    let unknown = applied.filter { !names.contains($0) }
    guard unknown.isEmpty else {
      let list = unknown.map { "“\($0)”" }.joined(separator: ", ")
      throw DatabaseError(
        .newerVersion,
        "The file has migrations that the app lacks: \(list). A newer version of the app made the file: "
          + "update the app. In development, switch back to the branch that made it, restore the name "
          + "of a migration that was renamed or removed, or delete the file. It was left untouched."
      )
    }
    guard applied.elementsEqual(names.prefix(applied.count)) else {
      let place = applied.indices.first { applied[$0] != names[$0] } ?? 0
      throw DatabaseError(
        .newerVersion,
        "The file has migration “\(applied[place])” where this version of the app expects "
          + "“\(names[place])”. Add new migrations at the end, and move none that was released; "
          + "the file was left untouched.")
    }
    return all[applied.count...]
  }

  /// Checks that each migration has a unique name.
  /// - Throws: ``DatabaseError`` with code `declaration` if a name is empty or used twice.
  func check() throws {
    var names: Set<String> = []
    for migration in all {
      guard !migration.name.isEmpty else {
        throw DatabaseError(.declaration, "A migration has no name. Give it one of its own.")
      }
      guard names.insert(migration.name).inserted else {
        throw DatabaseError(
          .declaration, "Two migrations are named “\(migration.name)”. Give the later another name."
        )
      }
    }
  }
}

/// A change from one version of the schema to the next, by one or more steps.
///
/// ```swift
/// Migration("v1.0.0_createCharters", .create(Charter.table))
/// Migration("v1.1.0_addGuests", .addColumn("guests", to: Charter.table))
/// ```
///
/// A migration must never change after its release: files that have it do not run it again. Steps
/// are designed for this. A closure, `Migration("v2") { writer in … }`, is the step
/// ``MigrationStep/perform(_:)``. It also runs in files that are opened or created years later. The
/// tables then have the columns of this migration's version, and not the current ones, so name
/// tables and columns in SQL rather than use record types.
public struct Migration: Sendable {
  /// The name by which files record the migration.
  @_documentation(visibility: internal)
  public let name: String
  var steps: [MigrationStep]

  /// Declares a migration by its name and its steps in order.
  ///
  /// - Parameters:
  ///   - name: The name by which files record the migration; it must be unique among them.
  ///   - steps: The steps, which run in one transaction.
  public init(_ name: String, _ steps: MigrationStep...) {
    self.name = name
    self.steps = steps
  }

  /// Declares a migration by its name and a closure, as `Migration(name, .perform(body))` does.
  @_documentation(visibility: internal)
  public init(_ name: String, _ body: @escaping @Sendable (Writer) throws -> Void) {
    self.init(name, .perform(body))
  }
}

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
    let digests = migrations.all.prefix(position).compactMap { migration in
      migration.digest.map { (name: migration.name, digest: $0) }
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
    return migrations.all.compactMap { migration in
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
