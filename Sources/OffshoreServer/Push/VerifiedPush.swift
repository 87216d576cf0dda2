public import OffshoreWire

/// A push of which all is checked that can be told without the log; see ``PushRules/verified(_:)``.
public struct VerifiedPush: Sendable {
  /// The first edit of a batch that is never taken, whatever the log has.
  struct Failure {
    let index: Int
    let rejection: Rejection
  }

  /// What the device has written.
  public let request: PushRequest
  /// What is wrong with each batch, in their order.
  let failures: [Failure?]
}

extension PushRules {
  /// Checks what takes time and needs no log, so that nobody else waits for it to be written to.
  /// - Throws: `WireProblem`: `upgradeRequired` for a device whose manifest is too old, `unavailable`
  ///   for one whose is newer than the server's, `malformed` for a batch that is not what its hash says.
  public func verified(_ request: PushRequest) throws(WireProblem) -> VerifiedPush {
    try versions.checkPush(request.manifestVersion)
    guard request.batches.allSatisfy({ $0.number > 0 && $0.isIntact }) else {
      throw WireProblem(.malformed, "A batch is not what its hash says. Send it again.")
    }
    return VerifiedPush(
      request: request, failures: request.batches.map { failure(in: $0, of: request.device) })
  }

  private func failure(in batch: Batch, of device: DeviceID) -> VerifiedPush.Failure? {
    for (index, op) in batch.ops.enumerated() {
      do throws(Rejection) {
        try check(op, in: batch.scope, of: device)
      } catch {
        return VerifiedPush.Failure(index: index, rejection: error)
      }
    }
    return nil
  }

  private func check(_ op: Op, in scope: ScopeID, of device: DeviceID) throws(Rejection) {
    try manifest.check(op, in: scope)
    guard op.stamp.device == device else {
      throw Rejection(.invalidOp, "The edit was made on another device.", row: op.row)
    }
  }
}
