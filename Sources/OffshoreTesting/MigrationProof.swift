import Foundation
public import Offshore

/// A proof, for tests, that migrations convert files of every released version to the declared
/// schema.
///
/// ```swift
/// let proof = MigrationProof(migrations, records: [Charter.self, Checklist.self])
/// let problems = try proof.problems(
///   startingFrom: ["1.0.0": SchemaSnapshot(text), …], in: temporaryFolder
/// ) { version, writer in
///   // Insert rows as that version did.
/// }
/// #expect(problems.isEmpty)
/// ```
public struct MigrationProof {
  private let migrations: Migrations
  private let records: [any Record.Type]

  /// Creates a proof of all migrations of an app, for all records that it declares.
  public init(_ migrations: Migrations, records: [any Record.Type]) {
    self.migrations = migrations
    self.records = records
  }

  /// Creates a file of each version, inserts rows, migrates the file and verifies the result.
  ///
  /// The migrations that a version had must have the steps of its release. The result is right if
  /// its schema is that of a new file, the declared tables agree with it, each row of a declared
  /// table can be read, and SQLite finds no damage.
  ///
  /// - Parameters:
  ///   - snapshots: the released schemas by the names of their versions.
  ///   - folder: the path of a folder that exists and may be written to.
  ///   - fill: inserts rows into a file of a version, at least one into each table.
  /// - Returns: the problems in sentences that begin with a version; empty if there are none.
  /// - Throws: `DatabaseError` if a file cannot be created in the folder; errors of `fill`.
  public func problems(
    startingFrom snapshots: [String: SchemaSnapshot], in folder: String,
    fill: (String, Writer) throws -> Void
  ) throws -> [String] {
    let new = try migrated("new file", at: folder + "/proof-\(UUID().uuidString).sqlite")
    var problems = new.problems
    for (version, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) {
      let path = folder + "/proof-\(UUID().uuidString).sqlite"
      try snapshot.restore(to: path)
      problems += try empty(afterFilling: path) { try fill(version, $0) }
        .map { "\(version): the file to begin with has no rows in “\($0)”" }
      problems += try changedMigrations(at: path).map { "\(version): \($0)" }
      let old = try migrated(version, at: path)
      problems += old.problems
      if let expected = new.schema, let found = old.schema {
        problems += found.differences(from: expected).map { "\(version): \($0) unlike a new file" }
      }
    }
    return problems
  }

  /// Returns the names of the tables that a closure leaves empty.
  private func empty(
    afterFilling path: String, _ fill: (Writer) throws -> Void
  ) throws -> [String] {
    let connection = try Connection(path)
    defer { connection.close() }
    try connection.write(fill)
    return try Schema(connection).tables.map(\.name).filter { name in
      try connection.fetch("SELECT 1 FROM \(identifier: name) LIMIT 1") { _ in true }.isEmpty
    }
  }

  /// Returns a sentence for each migration whose steps differ from those of a released version.
  private func changedMigrations(at path: String) throws -> [String] {
    let connection = try Connection(path)
    defer { connection.close() }
    return try connection.changedMigrations(migrations)
  }

  /// Returns the schema of a file after all migrations, or `nil` if one failed.
  private func migrated(
    _ version: String, at path: String
  ) throws -> (schema: Schema?, problems: [String]) {
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { _ in }  // The proof itself returns the problems.
    let connection = try Connection(path, configuration: configuration)
    defer { connection.close() }
    do {
      try connection.migrate(migrations)
    } catch {
      return (nil, ["\(version): \(error)"])
    }
    let schema = try Schema(connection)
    let problems =
      schema.differences(from: records)
      + records.compactMap { $0.readingProblem(connection) } + (try damage(connection))
    return (schema, problems.map { "\(version): \($0)" })
  }

  private func damage(_ connection: Connection) throws -> [String] {
    try connection.fetch("PRAGMA integrity_check") { try $0.value(String.self) }
      .filter { $0 != "ok" } + textIndexProblems(connection)
  }

  private func textIndexProblems(_ connection: Connection) throws -> [String] {
    let upkeep = TextIndexUpkeep(connection)
    return try upkeep.tables().compactMap { table in
      do {
        try connection.write { _ in try upkeep.verify(table) }
        return nil
      } catch {
        return "\(error)"
      }
    }
  }
}

extension Record {
  /// Returns the error of reading all rows, if there is one.
  fileprivate static func readingProblem(_ connection: Connection) -> String? {
    do {
      _ = try connection.read { try all.all($0) }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
