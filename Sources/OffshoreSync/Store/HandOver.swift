import Foundation
import Offshore
import OffshoreWire

/// Gives the rows of a local user to an account, before any of them was sent.
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
      for column in ownerColumns(of: table) {
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

  private func ownerColumns(of table: SyncTable) -> Set<String> {
    var columns: Set<String> = []
    if personalKinds.contains(table.scopeKind) { columns.insert(table.scopeColumn) }
    if let owner = table.row.owner { columns.insert(owner) }
    return columns
  }
}
