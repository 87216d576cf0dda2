import Foundation
import Offshore
import OffshoreWire

/// The rows of which the server has all changes, and lacks a file that this device sends.
///
/// Files of scopes that the account may not write any more are left out: they are not sent.
struct UnsentFiles {
  let schema: SyncSchema
  let reader: Reader

  /// A row with such a file.
  struct Entry {
    let row: RowID
    /// The reason why the server does not accept a file, or `nil`.
    fileprivate(set) var problem: String?
    /// The number of failed attempts: of refusals, if the server does not accept a file.
    fileprivate(set) var attempts: Int
    /// The time of the next attempt, in milliseconds since 1970.
    fileprivate(set) var due: Int64
  }

  /// Returns the rows in order, each once.
  /// - Parameter changed: rows with pending changes, which are left out.
  func entries(besides changed: some Sequence<RowID>) throws -> [Entry] {
    // Most of the time no file is to be sent.
    guard
      try SQL("SELECT EXISTS (SELECT 1 FROM _file WHERE \(FileEntry.isToSend))")
        .first(reader, as: Bool.self) == true
    else { return [] }
    let changed = Set(changed)
    return try entries(where: ScopeCursor.isWritable("_file.scope"))
      .filter { !changed.contains($0.row) }
  }

  /// Returns the rows of a scope, also if the account may not write it any more.
  func rows(in scope: ScopeID) throws -> [RowID] {
    try entries(where: "scope = \(scope.text)").map(\.row)
  }

  private func entries(where condition: SQL) throws -> [Entry] {
    var entries: [RowID: Entry] = [:]
    for table in schema.tables {
      for column in table.files.keys {
        let found = try FileTriggers(table: table).unsentFiles(of: column, where: condition)
          .all(reader, as: String.self, String?.self, Int.self, Int64.self)
        for (id, problem, attempts, due) in found {
          let row = RowID(table: table.sentName, id: id)
          var entry =
            entries[row] ?? Entry(row: row, problem: problem, attempts: attempts, due: due)
          if entry.problem == nil { entry.problem = problem }
          (entry.attempts, entry.due) = (max(entry.attempts, attempts), max(entry.due, due))
          entries[row] = entry
        }
      }
    }
    return entries.values.sorted { $0.row < $1.row }
  }
}

extension UnsentFiles.Entry {
  /// The id of the pending change. The name of a table cannot begin like this.
  var id: PendingChange.ID { "_file-\(row.table)-\(row.id)" }

  func change(_ names: RowNames) throws -> PendingChange {
    PendingChange(
      id: id, row: try names.name(of: row), level: names.level(of: row.table), action: .sendsFile,
      date: nil, isBeingSent: problem == nil, partCount: 0,
      refusal: problem.map { code in
        PendingChange.Refusal(
          attempts: attempts, reason: RefusedChange.Reason(fileProblem: code),
          nextTry: FileQueue.date(ofTry: due))
      })
  }
}

extension RefusedChange.Reason {
  /// Creates the reason why a server does not accept a file.
  /// - Parameter code: a code of `ServerClient.Failure`.
  init(fileProblem code: String) { self.init(Rejection(Rejection.Code(fileProblem: code), code)) }
}

extension Rejection.Code {
  /// Creates the code of a rejection for the same reason as that of a file.
  /// - Parameter code: a code of `ServerClient.Failure`.
  init(fileProblem code: String) {
    switch ServerClient.Failure.Code(rawValue: code) {
    case .notFound: self = .forbidden
    case .quotaExceeded: self = .limitReached
    case .wrongHash: self = .invalidValue
    default: self.init(rawValue: code)
    }
  }
}

extension ServerClient.Failure.Code {
  /// There is no room for another file.
  fileprivate static let quotaExceeded = Self(rawValue: "quotaExceeded")
  /// The hash of the content that arrived differs from that of the file.
  fileprivate static let wrongHash = Self(rawValue: "wrongHash")
}
