import Foundation

/// Proves in a test that files of every released version arrive at the schema that an app declares.
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

  /// Takes all migrations of the app, and the types of the records that it declares.
  public init(_ migrations: Migrations, records: [any Record.Type]) {
    self.migrations = migrations
    self.records = records
  }

  /// Makes a file of each version, fills and migrates it, and looks at what comes out.
  ///
  /// That is: the schema at the end is that of a new file; the declared tables agree with it; each
  /// row of a declared table can be read; and the file is sound.
  ///
  /// - Parameters:
  ///   - snapshots: the released schemas by the names of their versions.
  ///   - folder: the path of a folder that exists and may be written to.
  ///   - fill: inserts rows into a file of a version, at least one into each table.
  /// - Returns: the problems in sentences that begin with a version; none where all is proven.
  /// - Throws: ``DatabaseError`` where no file can be made in the folder, and what `fill` throws.
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
      let old = try migrated(version, at: path)
      problems += old.problems
      if let expected = new.schema, let found = old.schema {
        problems += found.differences(from: expected).map { "\(version): \($0) unlike a new file" }
      }
    }
    return problems
  }

  /// The names of the tables that a closure put no rows into.
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

  /// The schema of a file after all migrations, or none where they failed.
  private func migrated(
    _ version: String, at path: String
  ) throws -> (schema: Schema?, problems: [String]) {
    let connection = try Connection(path)
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
      .filter { $0 != "ok" }
  }
}

extension Record {
  /// Why not all rows can be read, if so.
  fileprivate static func readingProblem(_ connection: Connection) -> String? {
    do {
      _ = try connection.fetchAll(Self.self, SQL(raw: table.plan.sql.select))
      return nil
    } catch {
      return "\(error)"
    }
  }
}
