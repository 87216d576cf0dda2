import Foundation
package import Offshore
import OffshoreWire

/// The transfer of a local user's rows to an account, before any of them is sent.
struct HandOver {
  let schema: StoreSchema
  let tables: [SyncTable]
  let personalKinds: Set<String>

  init(_ schema: StoreSchema, _ sync: SyncSchema) {
    self.schema = schema
    tables = sync.tables
    personalKinds = sync.manifest.personalKinds
  }

  func run(from former: UUID, to account: UUID, _ writer: Writer) throws {
    try SQL("PRAGMA defer_foreign_keys = ON").run(writer)
    try schema.handOver?(former, account, writer)
    for table in tables {
      for column in table.ownerColumns(personalKinds) {
        // If the owner is part of a unique key, the account may have the row already.
        try SQL(
          """
          UPDATE OR REPLACE \(identifier: table.name) SET \(identifier: column) = \(account)
          WHERE \(identifier: column) = \(former)
          """
        ).run(writer)
      }
    }
  }
}

extension SyncTable {
  /// Returns the columns with the id of a row's owner.
  fileprivate func ownerColumns(_ personalKinds: Set<String>) -> Set<String> {
    var columns: Set<String> = []
    if personalKinds.contains(scopeKind) { columns.insert(scopeColumn) }
    for column in [row.owner, writers.authorColumn] { if let column { columns.insert(column) } }
    return columns
  }
}

extension SyncedStore {
  /// Assigns rows of the former local user to the account, if the file belongs to one.
  ///
  /// NB: Rows may be deleted before the user signs in, and restored afterwards. Only an account's
  /// rows are sent.
  package func giveToAccount<Row: Record>(_ rows: Query<Row>, _ writer: Writer) throws {
    guard let table = replica.schema[Row.table.name], let owner = try Self.account(writer)?.id
    else { return }
    for column in table.ownerColumns(replica.schema.manifest.personalKinds) {
      try SQL(
        """
        UPDATE \(identifier: table.name) SET \(identifier: column) = \(owner)
        WHERE \(identifier: column) <> \(owner) AND \(identifier: table.idColumn) IN (
          SELECT \(identifier: table.idColumn) FROM (\(rows.sql)))
        """
      ).run(writer)
    }
  }
}
