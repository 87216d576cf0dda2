/// A problem that ``Database/integrityCheck()`` has found.
@_documentation(visibility: internal)
public enum IntegrityProblem: Hashable, Sendable {
  /// A damaged page, an index that differs from its table, or a value that violates a constraint,
  /// in SQLite's words.
  case damage(String)
  /// A row that refers to a row that does not exist.
  ///
  /// - Parameters:
  ///   - table: The table of the row.
  ///   - rowID: The row id of the row, or `nil` in a table without row ids.
  ///   - columns: The referring columns.
  ///   - target: The referenced table.
  case danglingReference(table: String, rowID: Int64?, columns: [String], target: String)
}

extension IntegrityProblem: CustomStringConvertible {
  /// The problem as a sentence with a remedy.
  public var description: String {
    switch self {
    case .damage(let words): return "The file is damaged (\(words)). Restore a backup."
    case .danglingReference(let table, let rowID, let columns, let target):
      let row = rowID.map { "Row \($0)" } ?? "A row"
      let names = columns.map { "“\($0)”" }.joined(separator: ", ")
      return "\(row) of “\(table)” refers by \(names) to a row of “\(target)” that does not exist. "
        + "Insert that row, or clear the reference."
    }
  }
}

extension Connection {
  /// Returns the problems of the file and of its references.
  func integrityProblems() throws -> [IntegrityProblem] {
    do {
      let words = try fetch("PRAGMA integrity_check") { try $0.value(String.self) }
      let damage = words.filter { $0 != "ok" }.map { IntegrityProblem.damage($0) }
      return try damage + danglingReferences()
    } catch let error as DatabaseError where error.code == .corrupted {
      return [.damage(error.message)]
    }
  }

  private func danglingReferences() throws -> [IntegrityProblem] {
    let rows = try fetch("PRAGMA foreign_key_check") { row in
      (
        table: try row.value(String.self), rowID: try row.value(Int64?.self),
        target: try row.value(String.self), number: try row.value(Int.self)
      )
    }
    var columns: [String: [Int: [String]]] = [:]
    for table in Set(rows.map(\.table)) {
      let parts = try fetch(
        "SELECT id, \"from\" FROM pragma_foreign_key_list(\(table)) ORDER BY id, seq"
      ) { (number: try $0.value(Int.self), column: try $0.value(String.self)) }
      columns[table] = Dictionary(grouping: parts, by: \.number).mapValues { $0.map(\.column) }
    }
    return rows.map { row in
      .danglingReference(
        table: row.table, rowID: row.rowID, columns: columns[row.table]?[row.number] ?? [],
        target: row.target)
    }
  }
}
