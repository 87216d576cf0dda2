import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The columns that this device computes after a pull: search texts, progress, and sync status.
enum AppDerivations {
  static let all: [String: Replica.Derivation] = [
    CharterRow.table.name: { ids, writer in
      try setSearchTexts(of: ids, writer)
      try updateSyncStatus(of: ids, in: CharterRow.table.name, writer)
    },
    ExecutionRow.table.name: { ids, writer in
      for ids in chunks(of: ids) {
        try ExecutionRow.countProgress(of: ExecutionRow.where { $0.id.in(ids) }, writer)
      }
      try updateSyncStatus(of: ids, in: ExecutionRow.table.name, writer)
    },
    CharterChecklistRow.table.name: { ids, writer in
      for ids in chunks(of: ids) {
        let rows = try CharterChecklistRow.where { $0.id.in(ids) }.readable(writer).rows
        for row in rows { try count(row.checklistID, in: row.charterID, writer) }
      }
    },
    Checklist.table.name: { ids, writer in
      for ids in chunks(of: ids) {
        try ExecutionRow.countProgress(
          of: ExecutionRow.where { $0.checklistID.in(ids) }, writer)
      }
    },
  ]

  /// The replica that determines the status of rows.
  private static let replica = Result { try Replica(AppSchema.make()) }

  private static func count(
    _ checklistID: UUID, in charterID: UUID, _ writer: Writer
  ) throws {
    try ExecutionRow.countProgress(of: ExecutionRow.rows(checklistID, inCharter: charterID), writer)
  }

  private static func setSearchTexts(of ids: Set<String>, _ writer: Writer) throws {
    for ids in chunks(of: ids) {
      for row in try CharterRow.where({ $0.id.in(ids) }).readable(writer).rows {
        let text = row.charter(activeID: nil).searchText
        guard text != row.searchText else { continue }
        try CharterRow.find(row.id).update(writer) { [$0.searchText.set(text)] }
      }
    }
  }

  /// Updates the sync status of rows from their pending and refused changes.
  private static func updateSyncStatus(
    of ids: Set<String>, in table: String, _ writer: Writer
  ) throws {
    let rows = ids.map { RowID(table: table, id: $0) }
    for (row, status) in try replica.get().status(of: rows, writer) {
      let status = SyncStatus(status)
      try SQL(
        """
        UPDATE \(identifier: table) SET syncStatus = \(status)
        WHERE id = \(row.id) AND syncStatus <> \(status)
        """
      ).run(writer)
    }
  }

  /// Splits ids into chunks that fit into one statement.
  private static func chunks(of ids: Set<String>) -> [[UUID]] {
    let ids = ids.compactMap { UUID(uuidString: $0) }
    return stride(from: 0, to: ids.count, by: 500).map { Array(ids[$0..<min($0 + 500, ids.count)]) }
  }
}

extension SyncStatus {
  init(_ status: RowStatus) {
    self =
      switch status {
      case .synced: .synced
      case .pending: .pending
      case .refused: .error
      }
  }
}
