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
    let found = try SealedBatch.sendable(manifest)
      .group { batch in
        batch.scope
        batch.device
      }
      .order { $0.key.min() }
      .select({ (scope: $0, device: $1, number: $2) }) { batch in
        batch.scope
        batch.device
        batch.number.min()
      }.all(reader)
    device = found.first?.device
    for batch in found where batch.device == device { first[batch.scope] = batch.number }
  }
}
