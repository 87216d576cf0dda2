import Foundation
import Offshore
import OffshoreWire

/// The seeds of a user: rows that are stored once, and only if the user has none.
struct Seeds {
  let schema: SyncSchema
  let userID: UUID

  /// Stores the rows, unless that was done or the user has rows.
  /// - Returns: whether the rows were stored.
  func store(_ rows: [any Record], _ writer: Writer) throws -> Bool {
    let mark = Setting.seeded(userID)
    guard try Setting.value(mark, writer) == nil else { return false }
    try Setting.set(mark, to: "true", writer)
    guard try isEmpty(writer) else { return false }
    for row in rows { try row.save(writer) }
    return true
  }

  /// Returns whether no table of a personal kind has rows of the user.
  private func isEmpty(_ reader: Reader) throws -> Bool {
    let kinds = schema.manifest.personalKinds
    return try schema.tables.allSatisfy { table in
      guard kinds.contains(table.scopeKind) else { return true }
      return try SQL(
        """
        SELECT NOT EXISTS (SELECT 1 FROM \(identifier: table.name)
          WHERE \(identifier: table.scopeColumn) = \(userID))
        """
      ).first(reader, as: Bool.self) ?? true
    }
  }
}
