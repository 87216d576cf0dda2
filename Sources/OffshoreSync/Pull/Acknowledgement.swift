import Foundation
import Offshore
import OffshoreWire

/// Lets go of the batches that a page has, since a page is read together with what was answered.
struct Acknowledgement {
  let writer: Writer
  let scope: ScopeID
  let device: DeviceID
  /// The number of the device's last batch that the server has answered for good.
  let number: Int64
  /// The number of the last change that the page has.
  let head: Int64

  /// - Returns: the rows whose ops do not show any more.
  func run() throws -> Set<RowID> {
    var touched: Set<RowID> = []
    for var sealed in try batches() {
      let isDecided =
        sealed.device == device && sealed.batch.number <= number && sealed.isHandedOut
      switch sealed.phase {
      case .applied where sealed.last <= head: try sealed.remove(writer)
      case .waiting where isDecided:
        sealed.phase = .over
        try sealed.savePhase(writer)
      default: continue
      }
      for op in sealed.batch.ops { touched.insert(op.row) }
    }
    return touched
  }

  /// Does the same where the server has other data than before: what it has lost is sent again.
  func runOnOtherData(_ queue: BatchQueue) throws -> Set<RowID> {
    var touched: Set<RowID> = []
    for var sealed in try batches() {
      for op in sealed.batch.ops { touched.insert(op.row) }
      guard sealed.device == device, sealed.isHandedOut else { continue }
      if sealed.batch.number > number {
        sealed.phase = .waiting
        try sealed.savePhase(writer)
      } else if sealed.phase == .applied {
        try sealed.remove(writer)
      } else {
        sealed.phase = .over
        try sealed.savePhase(writer)
      }
    }
    try queue.renumber(scope, of: device, after: number)
    return touched
  }

  private func batches() throws -> [SealedBatch] {
    try SealedBatch.all(where: "scope = \(scope.text)", writer)
  }
}
