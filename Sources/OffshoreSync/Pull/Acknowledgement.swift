import Foundation
import Offshore
import OffshoreWire

/// Lets go of the batches that a page has, since a page is read together with what became of them.
///
/// A batch that was refused stays until its answer comes and tells why. So does one that has another
/// hash than the server's: a copy of the file has sent that under the same name.
struct Acknowledgement {
  let writer: Writer
  let scope: ScopeID
  let device: DeviceID
  let page: ScopePage

  /// - Returns: the rows whose ops have changed.
  func run() throws -> Set<RowID> {
    try release { sealed in
      sealed.phase == .applied ? sealed.last <= page.head : isApplied(sealed)
    }
  }

  /// Does the same where the server has other data than before: what it has lost is sent again.
  func runOnOtherData(_ queue: BatchQueue) throws -> Set<RowID> {
    var touched = try release { sealed in
      sealed.phase == .applied && sealed.device == device
        ? sealed.batch.number <= page.lastBatch : isApplied(sealed)
    }
    for var sealed in try batches() {
      for op in sealed.batch.ops { touched.insert(op.row) }
      guard sealed.phase == .applied else { continue }
      sealed.phase = .waiting
      try sealed.savePhase(writer)
    }
    try queue.renumber(scope, of: device, after: page.lastBatch)
    return touched
  }

  private func batches() throws -> [SealedBatch] {
    try SealedBatch.all(where: "scope = \(scope.text)", writer)
  }

  private func release(where isPulled: (SealedBatch) -> Bool) throws -> Set<RowID> {
    var touched: Set<RowID> = []
    for sealed in try batches() where isPulled(sealed) {
      try sealed.remove(writer)
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
