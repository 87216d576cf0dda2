/// Rows that were removed from a database, with their exact stored values, for an offer to undo.
///
/// ```swift
/// let removed = try await database.write { try $0.remove(Charter.find(id)) }
/// // Later, if the user wants the charter back:
/// try await database.write { try removed.restore($0) }
/// ```
/// Values are preserved bit for bit, including those that do not fit their columns. `isEmpty` is
/// `true` if no row was removed.
public struct RemovedRows: Equatable, Sendable {
  /// The removed rows of one table, each with a value for each of the columns.
  struct Rows: Equatable, Sendable {
    let table: String
    let columns: [String]
    var values: [[ExactValue]]
  }

  /// A reference to a removed row that the removal set to NULL or its default.
  struct ClearedReference: Equatable, Sendable {
    let table: String
    let key: [String]
    let keyValues: [ExactValue]
    let columns: [String]
    let before: [ExactValue]
    var after: [ExactValue] = []
  }

  let rows: [Rows]
  let clearedReferences: [ClearedReference]

  /// Whether no row was removed.
  @_documentation(visibility: internal)
  public var isEmpty: Bool { rows.allSatisfy(\.values.isEmpty) }

  /// Inserts all rows again, and restores the references to them that the removal set to NULL or
  /// their default.
  ///
  /// Rows whose key exists again, and references that have changed since, are skipped. References
  /// are checked at the end of the write, because the rows may refer to each other.
  /// - Throws: ``DatabaseError``: `constraint` if a constraint of a table refuses a row. The write
  ///   throws `danglingReference` if a row refers to one that does not exist any more.
  public func restore(_ writer: Writer) throws {
    try writer.connection.run("PRAGMA defer_foreign_keys = ON")
    for rows in rows { try rows.insert(writer) }
    for reference in clearedReferences { try reference.restore(writer) }
  }
}

extension RemovedRows.Rows {
  /// Runs `INSERT INTO "charters" ("id", …) VALUES (?, …) ON CONFLICT DO NOTHING` for each row.
  fileprivate func insert(_ writer: Writer) throws {
    let names = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    try writer.run(
      "INSERT INTO \(table.quotedIdentifier) (\(names)) VALUES (\(parameters)) "
        + "ON CONFLICT DO NOTHING",
      each: values
    ) { values, row in
      for (index, value) in values.enumerated() { value.bind(&row, Int32(index + 1)) }
    }
  }
}

extension RemovedRows.ClearedReference {
  /// Runs `UPDATE "notes" SET "charterID" = ? WHERE "id" IS ? AND "charterID" IS ?`.
  fileprivate func restore(_ writer: Writer) throws {
    let assignments = columns.map { $0.quotedIdentifier + " = ?" }.joined(separator: ", ")
    try writer.run(
      "UPDATE \(table.quotedIdentifier) SET \(assignments) \(Self.matching(key + columns))"
    ) { row in
      for (index, value) in (before + keyValues + after).enumerated() {
        value.bind(&row, Int32(index + 1))
      }
    }
  }

  /// Returns `WHERE "id" IS ? AND …`.
  static func matching(_ columns: [String]) -> String {
    "WHERE " + columns.map { $0.quotedIdentifier + " IS ?" }.joined(separator: " AND ")
  }
}

extension Writer {
  /// Deletes the rows of queries and the rows that cascade from them, and returns them all.
  ///
  /// ```swift
  /// let removed = try writer.remove(Charter.find(id))
  /// // Reads all rows that ON DELETE CASCADE deletes, then: DELETE FROM "charters" WHERE "id" = ?
  /// ```
  ///
  /// References are read from the file's schema. If a reference becomes NULL or its default, its
  /// row stays, and ``RemovedRows/restore(_:)`` restores the reference. Rows that triggers delete
  /// are not part of the result.
  /// - Throws: ``DatabaseError``: `invalidSQL` if a query has an order or a limit, `constraint` if
  ///   a reference forbids the removal.
  public func remove<each Row: Record>(_ query: repeat Query<each Row>) throws -> RemovedRows {
    var removal = try Removal(connection)
    for query in repeat each query { try removal.collect(query) }
    for query in repeat each query { try query.delete(self) }
    return try removal.removedRows()
  }
}
