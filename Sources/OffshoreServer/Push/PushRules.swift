public import OffshoreWire

/// What a server does with pushed batches, whatever it stores them in.
///
/// It reads no clock and stores nothing but in the transaction that it is given.
///
/// ```swift
/// let rules = try PushRules(manifest)
/// let push = try rules.verified(request)
/// let response = try await log.write { transaction in
///   try rules.apply(push, of: account, at: now, to: &transaction)
/// }
/// ```
public struct PushRules: Sendable {
  let manifest: Manifest
  let merge: Merge
  let versions: VersionRules
  /// The tables whose rows others refer to.
  let parents: Set<String>
  /// How many milliseconds a stamp may be ahead of the server's clock.
  let tolerance: Int64
  /// How many claimed scopes an account may own at a time.
  public var maximumClaims = WireLimits.scopesPerPull
  /// From how many refused ops on no further batch of a device is kept, where its account may not write.
  var maximumForbiddenOps: Int64 = 1_000
  /// From how many devices in a scope on nothing is kept of another one, where its account may not write.
  var maximumForbiddenDevices = 20

  /// Takes batches of a manifest's tables.
  /// - Parameters:
  ///   - manifest: the tables.
  ///   - rules: the merge rules that the manifest names.
  ///   - oldestVersion: the version of the oldest manifest whose devices are still served.
  ///   - tolerance: how many milliseconds a stamp may be ahead of the server's clock.
  /// - Throws: `WireError` with the code `invalidManifest` where a rule that it names is missing.
  public init(
    _ manifest: Manifest, rules: MergeRules = MergeRules(), oldestVersion: Int = 1,
    tolerance: Int64 = 1_000
  ) throws(WireError) {
    self.manifest = manifest
    self.tolerance = tolerance
    parents = Set(manifest.tables.flatMap(\.references).compactMap(\.reference))
    merge = try Merge(manifest, rules: rules)
    versions = VersionRules(oldest: oldestVersion, newest: manifest.version)
  }

  /// Takes the batches of a device one after the other, each whole or not at all.
  ///
  /// The answer to a batch that is refused tells the row that stands in its way, as far as those of all
  /// batches fit into one answer.
  ///
  /// After one that is forked, or that others are missing before, those of its scope are answered alike:
  /// they may build on it.
  ///
  /// The name of a device is that of the account that pushed under it first: what another
  /// account pushes under it is forked, but for what was taken before. What is refused of an account that
  /// may not write is kept up to a limit, and what would have claimed a scope and is refused not at all. So
  /// a device that was refused may find that its next number is a gap.
  ///
  /// Where a batch deletes a row or takes it to another scope, what refers to it is changed with it: the
  /// reference becomes NULL, or the row that has to have one is deleted too.
  ///
  /// A device that knows another epoch of the data is told the one that counts and nothing else: its
  /// numbers are of batches that this data may not have. It pulls first, and goes on from the number
  /// that a page tells it.
  /// - Parameters:
  ///   - push: what the device has written.
  ///   - account: whose device it is.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - log: where everything is stored, also what the batches are answered.
  /// - Throws: what the log throws.
  public func apply<Log: ChangeLogWriter>(
    _ push: VerifiedPush, of account: AccountID, at now: Int64, to log: inout Log
  ) throws -> PushResponse {
    let epoch = try log.epoch()
    guard push.request.epoch == 0 || push.request.epoch == epoch else {
      return PushResponse(epoch: epoch, serverTime: now, results: [])
    }
    let results = try take(push, of: account, at: now, on: &log)
    return PushResponse(epoch: epoch, serverTime: now, results: results)
  }

  /// Verifies a push and takes it, for logs that nobody else waits for.
  /// - Throws: what ``verified(_:)`` and the log throw.
  public func apply<Log: ChangeLogWriter>(
    _ request: PushRequest, of account: AccountID, at now: Int64, to log: inout Log
  ) throws -> PushResponse {
    try apply(try verified(request), of: account, at: now, to: &log)
  }

  private func take(
    _ verified: VerifiedPush, of account: AccountID, at now: Int64,
    on log: inout some ChangeLogWriter
  ) throws -> [BatchResult] {
    let request = verified.request
    var stopped: [ScopeID: BatchResult.Outcome] = [:]
    var room = AnswerRoom()
    return try zip(request.batches, verified.failures).map { batch, failure in
      let push = BatchPush(
        rules: self, batch: batch, failure: failure, device: request.device, account: account,
        now: now)
      if let outcome = stopped[batch.scope] { return push.result(outcome) }
      let result = try push.run(on: &log, &room)
      switch result.outcome {
      case .forked, .gap: stopped[batch.scope] = result.outcome
      case .applied, .rejected: break
      }
      return result
    }
  }
}
