import Foundation
public import Offshore

/// The schema of a released version as a text, stored with an app's sources.
///
/// It is an SQL script to read, to compare with the next version's, and to run:
///
/// ```sql
/// CREATE TABLE charters (
///   id TEXT PRIMARY KEY NOT NULL,
///   name TEXT NOT NULL
/// );
///
/// CREATE TABLE _migrations (…);
/// INSERT INTO _migrations VALUES ('v1.0.0_createCharters', 1, NULL);
/// ```
///
/// Migrations with steps are recorded with digests, by which a proof detects a changed one.
///
/// Create one when a version is released, and start a ``MigrationProof`` from all of them:
///
/// ```swift
/// let snapshot = try connection.read { try SchemaSnapshot($0) }
/// try snapshot.text.write(toFile: "Schemas/1.0.0.sql", atomically: true, encoding: .utf8)
/// ```
public struct SchemaSnapshot: Equatable, Sendable {
  /// The script.
  public let text: String

  /// Creates a snapshot of an existing script.
  public init(_ text: String) { self.text = text }

  /// Creates a snapshot of a database's schema and migrations, in a uniform layout and order.
  /// - Throws: `DatabaseError` if the file cannot be read.
  public init(_ reader: Reader) throws {
    let entries = try SchemaCatalog(reader.connection).entries()
    let order = ["table", "index", "view", "trigger"]
    let statements = order.flatMap { kind in
      entries.filter { $0.kind == kind }.map { $0.isVirtual ? $0.sql : SQLTokens($0.sql).layout }
    }
    let digests = try reader.connection.migrationDigests()
    let upkeep = TextIndexUpkeep(reader.connection)
    let textIndexes = try upkeep.tables().flatMap { table in
      try upkeep.creation(of: table)
    }
    let migrations = try reader.connection.appliedMigrations().enumerated().map { index, name in
      let digest = digests[name].map { SQLValue.text($0).description } ?? "NULL"
      let last = digests.isEmpty ? "" : ", \(digest)"
      return "INSERT INTO _migrations VALUES (\(SQLValue.text(name)), \(index + 1), NULL\(last));"
    }
    var table = SQLTokens(Migrator.tableSQL.text).layout.replacing(" IF NOT EXISTS", with: "")
    if !digests.isEmpty {
      table = table.replacing("appliedAt TEXT", with: "appliedAt TEXT,\n  digest TEXT")
    }
    text =
      (statements + textIndexes + [table]).map { $0 + ";\n" }.joined(separator: "\n")
      + migrations.map { $0 + "\n" }.joined()
  }

  /// Creates a file of that version, without rows.
  ///
  /// - Parameter path: the path of the new file.
  /// - Throws: `DatabaseError`: `cannotOpen` if the file exists or its folder is missing,
  ///   `invalidSQL` if the text is not such a script. No file is left in this case.
  public func restore(to path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw DatabaseError(.cannotOpen, "There is a file already. Restore a snapshot to a new one.")
    }
    let connection = try Connection(path)
    defer { connection.close() }
    do {
      _ = try connection.write { try $0.connection.run(SQL(raw: text)) }
    } catch {
      connection.close()
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      throw error
    }
  }
}
