import Offshore

@testable import Anyfleet

extension Fixture {
  private static let changes: [(name: String, sql: SQL)] = [
    ("insert", "INSERT"), ("update", "UPDATE"), ("delete", "DELETE"),
  ]

  /// Makes each change of a table's rows fail, until ``accept()``.
  func refuse(changesOf table: String) async throws {
    for change in Self.changes {
      try await run(
        """
        CREATE TRIGGER \(identifier: "refuse \(change.name)") BEFORE \(change.sql)
        ON \(identifier: table) BEGIN SELECT raise(ABORT, 'refused'); END
        """)
    }
  }

  /// Accepts changes again.
  func accept() async throws {
    for change in Self.changes {
      try await run("DROP TRIGGER \(identifier: "refuse \(change.name)")")
    }
  }

  /// Returns all stored data, for comparison.
  func dump() async throws -> [String?] {
    var dump: [String?] = []
    for case let table? in try await texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    {
      let columns = try await texts("SELECT name FROM pragma_table_info(\(table)) ORDER BY cid")
      for case let column? in columns {
        dump += try await texts(
          """
          SELECT \(table) || \(column) || quote(\(identifier: column)) FROM \(identifier: table)
          ORDER BY 1
          """)
      }
    }
    return dump
  }
}
