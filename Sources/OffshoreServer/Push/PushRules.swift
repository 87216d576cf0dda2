package import OffshoreWire

/// The rules by which a server applies pushes, for any kind of storage.
///
/// They read no clock, and store data only in the given transaction.
///
/// ```swift
/// let rules = try PushRules(manifest)
/// let push = try rules.verified(request)
/// let response = try await storage.write { transaction in
///   try rules.apply(push, of: account, at: now, to: &transaction)
/// }
/// ```
package struct PushRules: Sendable {
  /// The manifest of the app.
  package let manifest: Manifest
  let merge: Merge
  let versions: VersionRules
  /// The rules for the commands about members.
  let members: MembershipRules
  /// The rules by which accounts read scopes of others.
  package let access: AccessRules
  /// The tables to which others refer.
  let parents: Set<String>
  /// Whether some table has other writers than all members.
  let hasWriters: Bool
  /// The number of milliseconds by which a stamp may be ahead of the server's clock.
  let tolerance: Int64
  /// The largest number of scopes that an account may claim, including those that it has left.
  var maximumClaims = 10_000
  /// The most bytes of rows that a batch may need in memory, counted like `WireLimits.rowBytes`.
  var maximumStagedBytes = 64 << 20
  /// The most bytes of rows that the merges of a batch may read and write. A device merges the edits of a
  /// row before it sends them, so it comes nowhere near.
  var maximumProcessedBytes = 512 << 20
  /// The bytes of rows read and written from which on the later batches of a push are left for the next
  /// one, so that other writes do not wait for long.
  var processedBytesPerPush = 64 << 20
  /// The bytes that a command about a member counts for. It may read all grants of two accounts.
  var bytesPerCommand = 1 << 20
  /// The bytes that it counts for if access by rules follows from it.
  var bytesPerDerivation = 8 << 20
  /// The number by which the generation of an unknown row may exceed the changes of its scope.
  var generationMargin: Int64 = 1 << 20
  /// The limits of stored rows.
  var limits = StorageLimits()
  /// The limit of refused ops that are stored for a device while its account may not write.
  var maximumForbiddenOps: Int64 = 1_000
  /// The limit of an account's devices in a scope for which refusals are stored while it may not
  /// write.
  var maximumForbiddenDevices = 20

  /// Creates the rules for the tables of a manifest.
  /// - Parameters:
  ///   - manifest: the manifest of the app.
  ///   - rules: the merge rules that the manifest names.
  ///   - oldestVersion: the oldest version of the manifest that devices may have.
  ///   - tolerance: how many milliseconds a stamp may be ahead of the server's clock.
  /// - Throws: `WireError` with the code `invalidManifest` if one of the named merge rules is
  ///   missing.
  package init(
    _ manifest: Manifest, rules: MergeRules = MergeRules(), oldestVersion: Int = 1,
    tolerance: Int64 = 1_000
  ) throws(WireError) {
    self.manifest = manifest
    self.tolerance = tolerance
    parents = Set(manifest.tables.flatMap(\.references).compactMap(\.reference))
    hasWriters = manifest.tables.contains { $0.writers != .members }
    members = MembershipRules(
      personalKinds: manifest.personalKinds, admittingKinds: manifest.admittingKinds,
      memberLimits: manifest.memberLimits, membershipLimits: manifest.membershipLimits)
    access = AccessRules(manifest)
    merge = try Merge(manifest, rules: rules)
    versions = VersionRules(oldest: oldestVersion, newest: manifest.version)
  }

  /// Applies the batches of a device in their order, each as a whole or not at all.
  ///
  /// - A rejection contains the current version of its row, as far as the rows of all batches fit
  ///   into one answer.
  /// - After a batch with the answer `forked` or `gap`, later batches of its scope get the same
  ///   answer, because they may depend on it.
  /// - The name of a device belongs to the account that was the first to push under it. Batches of
  ///   another account under this name are `forked`, except those with a stored result.
  /// - Refusals of an account that may not write are stored up to a limit. A refused batch that
  ///   would have claimed a scope is not stored. In both cases the next batch of the device may be
  ///   a `gap`.
  /// - A batch whose id the device has used for the same ops under another number gets the stored
  ///   result, and uses up no number. So a request that arrives late takes effect once.
  /// - If the rows that a push changes are large, the answer lacks the results of its last batches, which
  ///   were not applied. The device sends them again.
  /// - If a batch deletes a row or moves it to another scope, rows that refer to it change too: the
  ///   reference becomes NULL, or the row is deleted if the reference is required.
  ///
  /// If the device knows another epoch, the answer contains the current epoch and no results,
  /// because this data may lack earlier batches. The device pulls first, and continues from the
  /// number in the page.
  ///
  /// Access that follows from the changes is derived by ``AccessRules/settle(on:)``.
  /// - Parameters:
  ///   - push: the verified push.
  ///   - account: the account of the device.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - transaction: the transaction that stores the changes and the results.
  /// - Throws: ``AccountError`` with the code `unauthorized` if the account was deleted since its request
  ///   was admitted; any error of the storage.
  package func apply(
    _ push: VerifiedPush, of account: AccountID, at now: Int64,
    to transaction: inout some StorageTransaction
  ) throws -> PushResponse {
    // NB: Refusals would make the device take its changes back, and a claim would have no owner.
    try transaction.checkIsNotRemoved(account)
    let epoch = try transaction.epoch()
    guard push.request.epoch == 0 || push.request.epoch == epoch else {
      return PushResponse(epoch: epoch, serverTime: now, results: [])
    }
    var memory = PushMemory()
    let results = try results(of: push, by: account, at: now, &memory, on: &transaction)
    return PushResponse(epoch: epoch, serverTime: now, results: results)
  }

  /// Verifies a push and applies it. Other writes to the storage wait for the verification, too.
  /// - Throws: the errors of ``verified(_:)`` and of the storage.
  package func apply(
    _ request: PushRequest, of account: AccountID, at now: Int64,
    to transaction: inout some StorageTransaction
  ) throws -> PushResponse {
    try apply(try verified(request), of: account, at: now, to: &transaction)
  }

  /// Returns the scopes in which a device has sent batches that the data lacks, though both have the
  /// same epoch: the data was restored from a copy, and no new epoch was begun.
  ///
  /// NB: A gap alone proves nothing. Refusals that were not recorded leave one, too: those of an
  /// account that never had a role, or may not write and has many.
  /// - Parameters:
  ///   - response: the answer to a push.
  ///   - transaction: the transaction of the answer.
  package func scopesAhead(
    _ request: PushRequest, _ response: PushResponse, of account: AccountID,
    from transaction: some StorageTransaction
  ) throws -> [ScopeID] {
    let gaps = Set(response.results.filter(\.outcome.isGap).map(\.scope))
    return try gaps.sorted().filter { scope in
      let device = try transaction.device(request.device, in: scope)
      let role = try transaction.grant(of: account, in: scope)?.role
      return device.account == account && device.forbiddenOps == 0 && role?.canWrite == true
    }
  }

  private func results(
    of verified: VerifiedPush, by account: AccountID, at now: Int64, _ memory: inout PushMemory,
    on transaction: inout some StorageTransaction
  ) throws -> [BatchResult] {
    let request = verified.request
    var stopped: [ScopeID: BatchResult.Outcome] = [:]
    var results: [BatchResult] = []
    for (batch, failure) in zip(request.batches, verified.failures)
    where memory.processedBytes <= processedBytesPerPush {
      let push = BatchPush(
        rules: self, batch: batch, failure: failure, device: request.device, account: account,
        now: now)
      if let outcome = stopped[batch.scope] {
        results.append(push.result(outcome))
        continue
      }
      let result = try push.run(on: &transaction, &memory)
      switch result.outcome {
      case .forked, .gap: stopped[batch.scope] = result.outcome
      case .applied, .rejected: break
      }
      results.append(result)
    }
    return results
  }
}

/// The versions of the manifest that a server supports.
struct VersionRules: Sendable {
  /// The oldest version that devices may have.
  let oldest: Int
  /// The version of the server's own manifest.
  let newest: Int

  /// Checks the version of a device that pushes.
  ///
  /// NB: A newer device retries until the server is updated, and can pull meanwhile. Otherwise its
  /// new columns would be refused for good.
  /// - Throws: `WireProblem`: `upgradeRequired` if the version is too old, `unavailable` if it is
  ///   newer than the server's.
  func checkPush(_ version: Int) throws(WireProblem) {
    try checkPull(version)
    guard version <= newest else {
      throw WireProblem(
        .unavailable, "The server does not know the newest tables yet. Update the server.")
    }
  }

  /// Checks the version of a device that pulls.
  /// - Throws: `WireProblem` with the code `upgradeRequired` if the version is too old.
  func checkPull(_ version: Int) throws(WireProblem) {
    guard version >= oldest else {
      throw WireProblem(.upgradeRequired, "The app is too old for this server. Update the app.")
    }
  }
}

extension BatchResult.Outcome {
  fileprivate var isGap: Bool {
    if case .gap = self { true } else { false }
  }
}
