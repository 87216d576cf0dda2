import Foundation
import Offshore
import OffshoreWire

/// The record of the files whose rows the server has accepted.
///
/// Nothing of a file is sent before: a row that is pending or refused can still be cancelled, and then neither
/// the row nor its file has ever left the device.
struct FileAcceptance {
  let schema: SyncSchema
  let writer: Writer

  private var hasFiles: Bool { schema.tables.contains { !$0.files.isEmpty } }

  /// Records the files to which the ops of a batch refer.
  ///
  /// Each value of the form of a reference counts: a column that the app does not have any more may be one of
  /// files.
  /// - Parameter batch: a batch that the server has applied.
  func record(_ batch: Batch) throws {
    guard try hasFiles || FileEntry.all.exists(writer) else { return }
    var moved: [ScopeID: [String: [String]]] = [:]
    for op in batch.ops {
      if case .move(let target) = op.kind {
        moved[target, default: [:]][op.row.table, default: []].append(op.row.id)
      }
      for value in op.fields.values {
        guard let file = value.string.flatMap({ BlobReference($0) }) else { continue }
        try SQL(
          """
          UPDATE _file SET accepted = 1
          WHERE scope = \(batch.scope.text) AND hash = \(file.hash.description)
          """
        ).run(writer)
      }
    }
    for (target, rows) in moved {
      for (table, ids) in rows { try record(moved: ids, of: table, batch.scope, to: target) }
    }
  }

  /// Records the files of rows that were moved to another scope. Those that only later changes refer to are
  /// not accepted in the former scope, either.
  private func record(
    moved ids: [String], of name: String, _ scope: ScopeID, to target: ScopeID
  ) throws {
    guard let table = schema[name] else { return }
    let keys = String(decoding: try JSONEncoder().encode(ids), as: UTF8.self)
    for column in table.files.keys {
      let files = FileTriggers(table: table).files(of: column, inRows: keys)
      try SQL(
        """
        UPDATE _file SET accepted = 1
        WHERE scope = \(target.text) AND (scope, hash) IN (\(files)) AND hash IN (
          SELECT hash FROM _file WHERE scope = \(scope.text) AND accepted = 1)
        """
      ).run(writer)
    }
  }

  /// Records the files of rows that show what the server has.
  ///
  /// It completes files of a former version, which has not recorded acceptance.
  func recordSettled() throws {
    guard
      try SQL("SELECT EXISTS (SELECT 1 FROM _file WHERE \(FileEntry.isAwaitingRow))")
        .first(writer, as: Bool.self) == true
    else { return }
    let layout = try CaptureLayout(writer)
    for table in schema.tables {
      guard let number = layout.number(of: table.sentName) else { continue }
      for column in table.files.keys {
        let files = FileTriggers(table: table).settledFiles(of: column, number)
        try SQL(
          """
          UPDATE _file SET accepted = 1
          WHERE \(FileEntry.isAwaitingRow) AND (scope, hash) IN (\(files))
          """
        ).run(writer)
      }
    }
  }
}
