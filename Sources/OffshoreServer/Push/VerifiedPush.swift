package import OffshoreWire

/// A push with the results of all checks that need no storage; see ``PushRules/verified(_:)``.
package struct VerifiedPush: Sendable {
  /// The first op of a batch that cannot be accepted, whatever the storage contains.
  struct Failure {
    let index: Int
    let rejection: Rejection
  }

  /// The push of the device.
  package let request: PushRequest
  /// The failure of each batch, in their order.
  let failures: [Failure?]
}

extension PushRules {
  /// Performs the checks that need time and no storage, so that no other write waits for them.
  /// - Throws: `WireProblem`: `upgradeRequired` if the manifest of the device is too old,
  ///   `unavailable` if it is newer than the server's, `malformed` if a batch does not match its
  ///   hash.
  package func verified(_ request: PushRequest) throws(WireProblem) -> VerifiedPush {
    try versions.checkPush(request.manifestVersion)
    guard request.batches.allSatisfy({ $0.number > 0 && $0.isIntact }) else {
      throw WireProblem(.malformed, "A batch is not what its hash says. Send it again.")
    }
    return VerifiedPush(
      request: request, failures: request.batches.map { failure(in: $0, of: request.device) })
  }

  private func failure(in batch: Batch, of device: DeviceID) -> VerifiedPush.Failure? {
    let isCommand = MemberCommand(batch) != nil
    for (index, op) in batch.ops.enumerated() {
      do throws(Rejection) {
        if !isCommand { try manifest.check(op, in: batch.scope) }
        guard op.stamp.device == device else {
          throw Rejection(.invalidOp, "The edit was made on another device.", row: op.row)
        }
      } catch {
        return VerifiedPush.Failure(index: index, rejection: error)
      }
    }
    return nil
  }
}
