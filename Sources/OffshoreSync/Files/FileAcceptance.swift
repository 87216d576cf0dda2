import Offshore
import OffshoreWire

/// The record of the files whose rows the server has accepted.
///
/// Nothing of a file is sent before: a row that is pending or refused can still be cancelled, and then neither
/// the row nor its file has ever left the device.
///
/// Each value of the form of a reference counts: a column that the app does not have any more may be one of
/// files.
struct FileAcceptance {
  let writer: Writer

  /// Records the files to which the ops of a batch refer.
  /// - Parameter batch: a batch that the server has applied.
  func record(_ batch: Batch) throws {
    guard try FileEntry.all.exists(writer) else { return }
    for op in batch.ops {
      // A row that is moved has its new values in the other scope only.
      let scope = if case .move(let target) = op.kind { target } else { batch.scope }
      try record(BlobReference.all(in: op.fields), in: scope)
    }
  }

  /// Records files to which a row of the server refers.
  func record(_ files: some Sequence<BlobReference>, in scope: ScopeID) throws {
    for file in files {
      try SQL(
        """
        UPDATE _file SET accepted = 1
        WHERE scope = \(scope.text) AND hash = \(file.hash.description) AND accepted = 0
        """
      ).run(writer)
    }
  }

  /// Records the files of rows that show what the server has, in a file of a former version, which has not
  /// recorded acceptance.
  static func recordSettled(_ schema: SyncSchema, _ writer: Writer) throws {
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

extension BlobReference {
  /// Returns the files to which fields refer.
  static func all(in fields: [String: WireValue]) -> [BlobReference] {
    fields.values.compactMap { $0.string.flatMap { BlobReference($0) } }
  }
}
