import Foundation
import Offshore
import OffshoreWire

/// The batches that wait for an answer, of one name: that of the oldest, as those that may have
/// arrived are among them.
///
/// Scopes in which nothing was ever granted, and that cannot be claimed, are left out: what is written
/// there was never sent.
struct UnansweredBatches {
  private(set) var device: DeviceID?
  /// The number of the first of them in each scope.
  private(set) var first: [ScopeID: Int64] = [:]

  init(_ reader: Reader, _ manifest: Manifest) throws {
    let found = try SQL(
      """
      SELECT scope, device, min(number) FROM _batch
      WHERE \(SealedBatch.canBeSent(manifest))
      GROUP BY scope, device ORDER BY min(k)
      """
    ).all(reader, as: String.self, Data.self, Int64.self)
    guard let oldest = found.first?.1 else { return }
    device = try DeviceID(decoding: Array(oldest))
    for (scope, device, number) in found where device == oldest {
      first[try ScopeID(scope)] = number
    }
  }
}
