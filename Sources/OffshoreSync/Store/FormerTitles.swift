import Foundation
package import Offshore
package import OffshoreWire

/// The titles of things that other devices deleted, or that the account may not read any more.
///
/// They name the thing in a sentence about its end.
struct FormerTitles {
  private static let prefix = "formerTitle."

  let schema: SyncSchema
  let writer: Writer

  /// Stores the titles of those of the rows that a scope is for, before they are removed.
  func store(of rows: [RowID]) throws {
    for row in rows {
      guard let table = schema[row.table], table.scopeColumn == table.idColumn,
        let column = table.row.title, let scope = try? ScopeID(kind: table.scopeKind, value: row.id)
      else { continue }
      let title = try SQL(
        "SELECT \(identifier: column) FROM \(identifier: table.name) WHERE \(identifier: table.idColumn) = \(row.id)"
      ).one(writer, as: String?.self) ?? nil
      guard let title, try Self.isThere(writer) else { continue }
      try Setting.set(Self.prefix + scope.text, to: title, writer)
    }
  }

  /// A database without a store has no settings.
  private static func isThere(_ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'settings')")
      .one(reader, as: Bool.self) ?? false
  }

  static func title(of scope: ScopeID, _ reader: Reader) throws -> String? {
    try Setting.value(prefix + scope.text, reader)
  }
}

extension SyncedStore {
  /// Returns the title that the row of a scope had when another device deleted it, or when the account lost its
  /// access; `nil` if neither happened.
  /// - Throws: `DatabaseError`.
  package func formerTitle(of scope: ScopeID, _ reader: Reader) throws -> String? {
    try FormerTitles.title(of: scope, reader)
  }
}
