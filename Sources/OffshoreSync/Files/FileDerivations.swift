import Foundation
import Offshore
import OffshoreWire

/// The results of the ``FileLane``, on which columns of rows may depend: whether the server has the file of a
/// row, or does not accept it, and whether a file has arrived.
extension Replica {
  /// Records that a job is done, and runs the derivations of the rows that refer to its file.
  /// - Parameter now: the device's clock, in milliseconds since 1970.
  func complete(_ job: FileQueue.Job, at now: Int64, _ writer: Writer) throws {
    try FileQueue.complete(job, at: now, writer)
    try deriveRows(of: job, writer)
  }

  /// Postpones a job of which the server does not accept the file: after a growing delay as often as the limit
  /// for its code allows, and then until the user retries it; after the longest delay if there is no limit.
  /// - Parameter delay: the delay after a number of refusals, in milliseconds; the longest for `nil`.
  func refuse(
    _ job: FileQueue.Job, at now: Int64, because problem: String, _ writer: Writer,
    delay: (Int64?) -> Int64
  ) throws {
    let refusals = try FileQueue(reader: writer).refusals(of: job) + 1
    let limit = attemptLimits[Rejection.Code(fileProblem: problem)]
    let isLast = limit.map { refusals >= $0 } ?? false
    let due = isLast ? FileQueue.never : now + delay(limit.map { _ in refusals })
    try postpone(job, until: due, refusals, because: problem, writer)
  }

  /// Postpones a job as ``FileQueue`` does. At each refusal of the file, and if the server does not refuse it
  /// any more, the derivations run.
  func postpone(
    _ job: FileQueue.Job, until due: Int64, _ attempts: Int64, because problem: String?,
    _ writer: Writer
  ) throws {
    let wasRefused = try FileQueue(reader: writer).problem(of: job) != nil
    try FileQueue.postpone(job, until: due, attempts, because: problem, writer)
    if wasRefused || problem != nil { try deriveRows(of: job, writer) }
  }

  /// Sends the files to which rows refer without delay, also those that the server did not accept.
  /// - Returns: whether there was a file that the server did not accept.
  func retryFiles(of rows: Set<RowID>, _ writer: Writer) throws -> Bool {
    var isDone = false
    for (name, rows) in Dictionary(grouping: rows, by: \.table) {
      guard let table = schema[name], !table.files.isEmpty else { continue }
      let keys = String(decoding: try JSONEncoder().encode(rows.map(\.id)), as: UTF8.self)
      for column in table.files.keys {
        let files = FileTriggers(table: table).files(of: column, inRows: keys)
        let delayed = try SQL(
          """
          SELECT scope, hash, problem FROM _file
          WHERE own = 1 AND stored = 0 AND due > 0 AND (scope, hash) IN (\(files))
          """
        ).all(writer, as: String.self, String.self, String?.self)
        for (scope, hash, problem) in delayed {
          guard let hash = ContentHash(hexadecimal: hash) else { continue }
          try postpone(.send(hash, try ScopeID(scope)), until: 0, 0, because: nil, writer)
          if problem != nil { isDone = true }
        }
      }
    }
    return isDone
  }

  private func deriveRows(of job: FileQueue.Job, _ writer: Writer) throws {
    let derived = derivations.tables
    let tables = schema.tables.filter { !$0.files.isEmpty && derived.contains($0.sentName) }
    guard !tables.isEmpty else { return }
    var rows: Set<RowID> = []
    for scope in try scopes(of: job, writer) {
      for table in tables where table.scopeKind == scope.kind {
        for column in table.files.keys {
          let ids = try FileTriggers(table: table)
            .rows(referringTo: job.hash, by: column, in: scope).all(writer, as: String.self)
          rows.formUnion(ids.map { RowID(table: table.sentName, id: $0) })
        }
      }
    }
    try derivations.run(for: rows, writer)
  }

  private func scopes(of job: FileQueue.Job, _ reader: Reader) throws -> [ScopeID] {
    switch job {
    case .send(_, let scope): [scope]
    case .fetch(let hash):
      try SQL("SELECT scope FROM _file WHERE hash = \(hash.description) AND refs > 0")
        .all(reader, as: String.self).compactMap { try? ScopeID($0) }
    }
  }
}
