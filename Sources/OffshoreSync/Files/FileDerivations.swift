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

  /// Postpones a job as ``FileQueue`` does. If the server does not accept the file, or does not refuse it
  /// any more, the derivations run.
  func postpone(
    _ job: FileQueue.Job, until due: Int64, _ attempts: Int64, because problem: String?,
    _ writer: Writer
  ) throws {
    let former = try FileQueue(reader: writer).problem(of: job)
    try FileQueue.postpone(job, until: due, attempts, because: problem, writer)
    if problem != former { try deriveRows(of: job, writer) }
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
