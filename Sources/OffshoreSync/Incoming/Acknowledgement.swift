import Offshore
import OffshoreWire

/// The removal of a scope's batches whose changes a page includes.
///
/// A page is read in one transaction with the results of the device's batches. A refused batch
/// stays until the answer to its push brings the reason. A batch whose hash differs from the
/// server's stays too: a device with a copy of the file has sent another batch under the same id
/// and number.
struct Acknowledgement {
  let schema: SyncSchema
  let writer: Writer
  let postponed: PostponedBatches
  let scope: ScopeID
  let device: DeviceID
  let page: ScopePage
  /// The current time of the device's clock, in milliseconds since 1970.
  let now: Int64

  /// Removes the batches that the page includes.
  /// - Returns: the rows whose pending ops have changed.
  func run() throws -> Set<RowID> {
    try release { sealed in
      sealed.phase == .applied ? sealed.last <= page.head : isApplied(sealed)
    }
  }

  /// Removes the batches that a page of other data includes, and numbers the others again. Batches
  /// that the server has lost are sent again, also those that a former page included.
  ///
  /// If a device with a copy of the file has sent batches to that data under the same id, the others
  /// get a new id: the server could not tell the changes of the two devices apart.
  /// - Returns: the rows whose pending ops may have changed.
  func runOnOtherData(_ reopening: Reopening, _ queue: BatchQueue, _ queries: BatchQueries) throws
    -> Set<RowID>
  {
    var touched = try release { sealed in
      sealed.phase == .applied && sealed.device == device
        ? sealed.batch.number <= page.lastBatch : isApplied(sealed)
    }
    try reopening.run(scope, of: device, after: page.lastBatch)
    // The data has the other commands, and lets the account read the scope: it has joined again since.
    try SentBatches(writer: writer).removeLeaving(of: scope)
    for sealed in try batches() {
      for op in sealed.batch.ops { touched.insert(op.row) }
    }
    if try hasBatchOfCopy() {
      let renamed = try queue.rename(
        scope, from: device, number: 0, queries, newDevice: { DeviceID(queue.makeID()) })
      for sealed in renamed { for op in sealed.batch.ops { touched.insert(op.row) } }
    } else {
      try BatchQueue.renumber(scope, of: device, after: page.lastBatch, writer)
    }
    return touched
  }

  /// Returns whether the page's data has an applied batch of the device that this file never had, while
  /// others are unanswered.
  ///
  /// Data that was restored before may have given a batch another number.
  private func hasBatchOfCopy() throws -> Bool {
    let waiting = try batches().filter { $0.device == device && $0.phase == .waiting }
    guard !waiting.isEmpty, page.batches.contains(where: \.isApplied) else { return false }
    let sent = SentBatch.where { $0.scope == scope && $0.device == device }
    let known = try waiting.map(\.batch) + sent.where { $0.bytes > 0 }.all(writer).map(\.batch)
    let deleted = try sent.where { $0.bytes == 0 }.max(writer) { $0.number } ?? 0
    return page.batches.contains { decided in
      decided.isApplied && decided.number > deleted
        && !known.contains {
          Batch(scope, number: decided.number, id: $0.id, ops: $0.ops).hash == decided.hash
        }
    }
  }

  private func batches() throws -> [SealedBatch] {
    try SealedBatch.inOrder(of: scope).all(writer)
  }

  private func release(where isPulled: (SealedBatch) -> Bool) throws -> Set<RowID> {
    var touched: Set<RowID> = []
    for sealed in try batches() where isPulled(sealed) {
      try postponed.removeEdits(replacedBy: sealed.batch.ops, in: scope)
      if sealed.isDone {
        try sealed.delete(writer)
      } else {
        if sealed.phase != .applied {
          try FileAcceptance(writer: writer).record(sealed.batch)
          let confirmation = FileConfirmation(schema: schema, writer: writer, now: now)
          try confirmation.renew(for: sealed.batch)
        }
        try SentBatches(writer: writer).add(sealed, at: now)
      }
      for op in sealed.batch.ops { touched.insert(op.row) }
    }
    return touched
  }

  private func isApplied(_ sealed: SealedBatch) -> Bool {
    guard sealed.device == device else { return false }
    return page.batches.contains {
      $0.isApplied && $0.number == sealed.batch.number && $0.hash == sealed.batch.hash
    }
  }
}
