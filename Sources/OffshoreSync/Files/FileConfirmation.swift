import Foundation
import Offshore
import OffshoreWire

/// The confirmation that the server still has the files of rows that reach it late.
///
/// A server deletes a file to which no row has referred for a while. A file is sent after its row, but the scope
/// may have had it before, for a row that was deleted. So a row that was refused at first, or waited for a role,
/// may arrive when its file is not there any more. The device then sends the file again, unless the server has
/// confirmed to have it a short time before: a request without content finds out whether it still does.
///
/// NB: This happens after the server has applied the row. From then on it does not delete the file.
struct FileConfirmation {
  /// The time for which a confirmation counts, in milliseconds. Servers retain files without a row for
  /// 7 days.
  static let lifetime: Int64 = 86_400_000

  let schema: SyncSchema
  let writer: Writer
  /// The device's clock, in milliseconds since 1970.
  let now: Int64

  /// Sends the files again to which rows of a batch refer, if their confirmation is too old, or from a
  /// clock that was ahead.
  /// - Parameter batch: a batch that the server has applied.
  func renew(for batch: Batch) throws {
    guard schema.tables.contains(where: { !$0.files.isEmpty }) else { return }
    var rows: [String: [String]] = [:]
    for op in batch.ops where mayRefer(op) { rows[op.row.table, default: []].append(op.row.id) }
    for (name, ids) in rows {
      guard let table = schema[name] else { continue }
      let keys = String(decoding: try JSONEncoder().encode(ids), as: UTF8.self)
      for column in table.files.keys {
        let files = FileTriggers(table: table).files(of: column, inRows: keys)
        try SQL(
          """
          UPDATE _file SET stored = 0
          WHERE own = 1 AND stored > 0 AND stored NOT BETWEEN \(now - Self.lifetime) AND \(now)
            AND (scope, hash) IN (\(files))
          """
        ).run(writer)
      }
    }
  }

  /// Returns whether the server may have learned from an op that a row refers to a file.
  private func mayRefer(_ op: Op) -> Bool {
    guard let table = schema[op.row.table], !table.files.isEmpty else { return false }
    return switch op.kind {
    case .put, .move: true
    case .patch: table.files.keys.contains { op.fields[table.sentName(of: $0)] != nil }
    case .delete, .increment: false
    }
  }
}
