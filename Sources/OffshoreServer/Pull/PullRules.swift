package import OffshoreWire

/// The rules by which a server answers pulls, for any kind of storage.
///
/// ```swift
/// let response = try await storage.read { transaction in
///   try rules.answer(request, of: account, at: now, from: transaction)
/// }
/// ```
///
/// The rows, head, digest and batch results of a page are read in one transaction. A page has no
/// upper bound, so a row that changes between two pages is sent again and never missed.
package struct PullRules: Sendable {
  private let versions: VersionRules
  private let access: AccessRules
  private let byteLimit: Int
  /// About how many bytes of range digests and batch results an answer has.
  var reportLimit = PageRoom.reportBytes
  private let rangeDigests = RangeDigestCache()

  /// Creates the rules.
  /// - Parameters:
  ///   - access: the rules by which accounts read scopes of others.
  ///   - oldestVersion: the oldest version of the manifest that devices may have.
  ///   - byteLimit: about how many bytes the rows of an answer have together.
  package init(
    _ access: AccessRules, oldestVersion: Int = 1, byteLimit: Int = WireLimits.bodyBytes / 2
  ) {
    versions = VersionRules(oldest: oldestVersion, newest: .max)
    self.access = access
    self.byteLimit = byteLimit
  }

  /// Returns the changes that a device is missing, in all scopes of its request.
  ///
  /// If they do not all fit, the rest is left for the next page, and the page is marked as full. An
  /// answer has at least one row if any is missing. Once the answer has no more room, the pages of
  /// the remaining scopes are marked as full and have nothing: their rows are not read, and their
  /// positions stay as they are.
  /// - Parameters:
  ///   - request: the cursors of the device.
  ///   - account: the account of the device.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - transaction: a transaction that reads.
  /// - Throws: `WireProblem` with the code `upgradeRequired` if the manifest of the device is too
  ///   old; ``AccountError`` with the code `unauthorized` if the account was deleted meanwhile; any error
  ///   of the storage.
  package func answer(
    _ request: PullRequest, of account: AccountID, at now: Int64,
    from transaction: some StorageTransaction
  ) throws -> PullResponse {
    try versions.checkPull(request.manifestVersion)
    // NB: An answer without grants would make the device remove the rows.
    try transaction.checkIsNotRemoved(account)
    var room = PageRoom(bytes: byteLimit, reportBytes: reportLimit)
    var answers: [ScopeAnswer] = []
    for cursor in request.cursors {
      guard let (grant, reading) = try transaction.reading(of: account, in: cursor.scope) else {
        // NB: Epoch 0 belongs to no scope, so the answer does not show whether this one exists. The
        // epoch of all data, which is sent below, says nothing about a single scope.
        answers.append(ScopeAnswer(cursor.scope, epoch: 0, .notGranted))
        continue
      }
      let pull = ScopePull(
        cursor: cursor, request: request, rangeDigests: rangeDigests, account: account,
        start: access.isDerived(grant, of: account) ? reading.head ?? 0 : nil,
        conflictStart: reading.conflicts)
      answers.append(try pull.answer(from: transaction, &room))
    }
    let grants = try transaction.grants(of: account, after: request.grantsAfter)
    return PullResponse(
      serverTime: now, epoch: try transaction.epoch(),
      capabilities: request.capabilities.intersection(.all), grants: grants, scopes: answers)
  }

  /// Returns the scopes in which a device has seen changes that the data lacks, though both have the
  /// same epoch: the data was restored from a copy, and no new epoch was begun.
  /// - Parameters:
  ///   - request: the cursors of the device.
  ///   - response: the answer, from the same transaction.
  package func scopesAhead(
    _ request: PullRequest, _ response: PullResponse, from transaction: some StorageTransaction
  ) throws -> [ScopeID] {
    try zip(request.cursors, response.scopes).compactMap { cursor, answer in
      // A device that is ahead cannot continue.
      guard case .resync = answer.content, cursor.epoch == answer.epoch,
        let seen = cursor.position.lastSeen,
        seen > (try transaction.scope(cursor.scope).head)
      else { return nil }
      return cursor.scope
    }
  }

  /// Records up to which sequence numbers a device has committed pulled changes.
  ///
  /// Scopes in which the device has not pushed for the account are skipped. The call is optional,
  /// and may come later.
  /// - Throws: any error of the storage.
  package func acknowledge(
    _ request: PullRequest, of account: AccountID, in transaction: inout some StorageTransaction
  ) throws {
    for cursor in request.cursors
    where try transaction.grant(of: account, in: cursor.scope)?.role.canRead == true {
      let scope = try transaction.scope(cursor.scope)
      var device = try transaction.device(request.device, in: cursor.scope)
      let acknowledged = min(cursor.acknowledged, scope.head)
      guard cursor.epoch == scope.epoch, device.account == account,
        acknowledged > device.acknowledged
      else { continue }
      device.acknowledged = acknowledged
      try transaction.setDevice(request.device, in: cursor.scope, device)
    }
  }
}

extension PullCursor.Position {
  /// The highest number of a change that the device names, or `nil` if it names none.
  fileprivate var lastSeen: Int64? {
    switch self {
    case .changes(let seq): seq
    case .snapshot(let head, _), .repair(_, let head, _): head
    }
  }
}
