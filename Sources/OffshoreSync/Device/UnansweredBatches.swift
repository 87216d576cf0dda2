import Foundation
import Offshore
import OffshoreWire

/// The first unanswered batch of each scope, among those of one device id.
///
/// It is the id of the oldest unanswered batch, because batches of that id may have reached the
/// server. Scopes in which the account never had a role, and which cannot be claimed, are left out:
/// their batches were never sent.
struct UnansweredBatches {
  /// The device id of the batches, or `nil` if there are no unanswered ones.
  private(set) var device: DeviceID?
  /// The number of the first unanswered batch in each scope.
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
