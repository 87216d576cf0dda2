import Foundation
package import Offshore
package import OffshoreWire

/// The batches that the server has refused and that are sent again later, after the delays of the
/// engine, and the ``HeldCommands``. Use them within one write.
///
/// They have no number, so that later batches of their scopes are sent before them.
struct PostponedBatches {
  let writer: Writer
  let manifest: Manifest
  var timing = SyncEngine.Timing()
  /// The current time of the device's clock, in milliseconds since 1970.
  let now: Int64
  let makeID: () -> UUID

  /// Returns the rows of a refused batch that need postponed rows: they have to be sent after these.
  func dependents(in sealed: SealedBatch, _ rejection: Rejection) throws -> Set<RowID> {
    guard AwaitedRows.codes.contains(rejection.code) else { return [] }
    let others = try SealedBatch.postponed(writer)
    guard !others.isEmpty else { return [] }
    return AwaitedRows(others, manifest).tooEarly(in: sealed, rejection)
      .union(followers(of: others, in: sealed, rejection))
  }

  /// Returns the rows of a refused batch that postponed batches change, too, if the batch was refused
  /// because it builds on these.
  private func followers(
    of others: [SealedBatch], in sealed: SealedBatch, _ rejection: Rejection
  ) -> Set<RowID> {
    let rows = Set(
      others.filter { $0.scope == sealed.scope }.flatMap { $0.batch.ops.map(\.row) })
    guard rejection.code != .missingReference, let row = rejection.row, rows.contains(row) else {
      return []
    }
    let ops = zip(sealed.batch.ops, sealed.parts)
    let parts = Set(ops.filter { rows.contains($0.0.row) && $0.0.kind != .put }.map(\.1))
    return Set(ops.filter { parts.contains($0.1) }.map(\.0.row))
  }

  /// Postpones ops of a refused batch.
  /// - Parameter areAwaiting: whether the ops need postponed rows, and are sent with the last of these.
  func add(
    _ group: Verdict.Group, of sealed: SealedBatch, _ rejection: Rejection, areAwaiting: Bool
  ) throws {
    guard !group.ops.isEmpty else { return }
    var postponed = SealedBatch(
      device: sealed.device,
      batch: Batch(sealed.scope, number: 0, id: makeID(), ops: group.ops), parts: group.parts,
      made: sealed.made, attempts: group.attempts,
      rejection: areAwaiting ? sealed.rejection : rejection)
    postponed.phase = .postponed
    let last = areAwaiting ? try SealedBatch.postponed(writer).map(\.due).max() : nil
    postponed.due = last ?? now + timing.delay(after: postponed.refusals)
    try postponed.insert(writer)
  }

  /// Appends the batches to the queue whose time has come.
  ///
  /// If the device's clock was set back by more than the longest delay, they are sent at once. An edit that
  /// a later change of this device replaces, or that its deletion of the row ends, waits until the later
  /// change is answered: if that takes effect, the edit is removed, and otherwise it is sent.
  func release() throws {
    let last = now + timing.bounded.longestDelay
    let due = try SealedBatch.postponed(writer, where: "due <= \(now) OR due > \(last)")
    let queue = BatchQueue(writer: writer, makeID: makeID)
    for var sealed in due {
      if let command = MemberCommand(sealed.batch),
        try HeldCommands(reader: writer)
          .includes(command, in: sealed.scope, made: sealed.made, at: now)
      {
        sealed.due = min(last, sealed.made + HeldCommands.longestTime)
        try sealed.save(writer)
        continue
      }
      if try isReplacedMeanwhile(sealed) {
        sealed.due = now + timing.bounded.firstDelay
        try sealed.save(writer)
        continue
      }
      try sealed.delete(writer)
      try queue.add((sealed.batch.ops, sealed.parts, sealed.attempts), of: sealed)
    }
  }

  /// Returns whether an unanswered batch replaces an edit of a postponed one, or ends its row.
  private func isReplacedMeanwhile(_ sealed: SealedBatch) throws -> Bool {
    let waiting = try SealedBatch.inOrder(of: sealed.scope).where { $0.phase == .waiting }
      .all(writer)
    let ended = EndedRows(waiting.flatMap(\.batch.ops))
    let later = try LaterValues(of: waiting, before: sealed.batch, manifest, writer)
    return sealed.batch.ops.contains { ended.includeEdit($0) || later.rest(of: $0) != $0 }
  }

  /// Removes what the ops of a batch of this device have replaced at the server from the postponed edits of
  /// their rows: the values to which they have given later ones, and all edits of rows that they have
  /// deleted. These would replace the later values, or be reported to all members as conflicts with the
  /// deletion.
  func removeEdits(replacedBy ops: [Op], in scope: ScopeID) throws {
    let postponed = try SealedBatch.postponed(writer).filter { $0.scope == scope }
    guard !postponed.isEmpty else { return }
    let (ended, later) = (EndedRows(ops), LaterValues(ops, manifest))
    func rest(of op: Op) -> Op? { ended.includeEdit(op) ? nil : later.rest(of: op) }
    let affected = postponed.filter { $0.batch.ops.contains { rest(of: $0) != $0 } }
    try UnsentBatches.replace(affected, writer) { sealed in
      sealed.with(
        zip(sealed.batch.ops, sealed.parts).compactMap { op, part in
          rest(of: op).map { (op: $0, part: part) }
        })
    }
  }
}

/// The generations of rows that deletions end.
private struct EndedRows {
  private var generations: [RowID: Int64] = [:]

  init(_ ops: [Op]) {
    for op in ops where op.kind == .delete {
      generations[op.row] = max(generations[op.row] ?? op.generation, op.generation)
    }
  }

  /// Returns whether an op edits a row in a generation that has ended.
  func includeEdit(_ op: Op) -> Bool {
    guard op.kind == .patch || op.kind == .increment, let last = generations[op.row] else {
      return false
    }
    return op.generation <= last
  }
}

extension SyncEngine.Timing {
  /// Returns the delay before changes are sent again that the server has refused, in milliseconds.
  ///
  /// It is the bound of the engine's delays: there is no reason to spread the requests of devices.
  fileprivate func delay(after refusals: Int64) -> Int64 {
    let timing = bounded
    // A day in milliseconds has 27 bits: 30 doublings reach any bound and never overflow.
    return min(timing.longestDelay, timing.firstDelay << min(max(refusals - 1, 0), 30))
  }
}

extension Replica {
  /// Ends the delay after which refused changes of rows are sent again.
  package func sendAgain(_ rows: Set<RowID>, _ writer: Writer) throws {
    for var sealed in try SealedBatch.postponed(writer)
    where sealed.batch.ops.contains(where: { rows.contains($0.row) }) {
      sealed.due = 0
      try sealed.save(writer)
    }
    try derivations.run(for: rows, writer)
  }
}

extension SealedBatch {
  /// Returns the postponed batches, oldest first.
  // NB: SQL, because the index serves only a query with its own condition.
  static func postponed(
    _ reader: Reader, where condition: SQL = "TRUE"
  ) throws -> [SealedBatch] {
    let keys = try SQL("SELECT k FROM _batch WHERE \(isPostponed) AND (\(condition))")
      .all(reader, as: Int64.self)
    if keys.isEmpty { return [] }
    return try Self.where { $0.key.in(keys) }.order { $0.key }.all(reader)
  }
}
