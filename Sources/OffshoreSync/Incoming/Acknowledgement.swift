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
  /// - Returns: the rows whose pending ops may have changed.
  func runOnOtherData(_ reopening: Reopening) throws -> Set<RowID> {
    var touched = try release { sealed in
      sealed.phase == .applied && sealed.device == device
        ? sealed.batch.number <= page.lastBatch : isApplied(sealed)
    }
    try reopening.run(scope, of: device, after: page.lastBatch)
    for sealed in try batches() {
      for op in sealed.batch.ops { touched.insert(op.row) }
    }
    try BatchQueue.renumber(scope, of: device, after: page.lastBatch, writer)
    return touched
  }

  private func batches() throws -> [SealedBatch] {
    try SealedBatch.inOrder(of: scope).all(writer)
  }

  private func release(where isPulled: (SealedBatch) -> Bool) throws -> Set<RowID> {
    var touched: Set<RowID> = []
    for sealed in try batches() where isPulled(sealed) {
      try PostponedBatches.removeEdits(endedBy: sealed.batch.ops, in: scope, writer)
      if sealed.isDone {
        try sealed.delete(writer)
      } else {
        if sealed.phase != .applied {
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
