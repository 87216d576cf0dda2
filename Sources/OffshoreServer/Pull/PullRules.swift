public import OffshoreWire

/// What a server tells a device that pulls, whatever it keeps its log in.
///
/// ```swift
/// let response = try await log.read { try rules.answer(request, of: account, at: now, from: $0) }
/// ```
///
/// Each page is what one transaction sees: its rows, the head, the digest, and what was acknowledged. A
/// page has no upper bound, so a row that changes between two pages comes again and is never missed.
public struct PullRules: Sendable {
  private let versions: VersionRules
  private let byteLimit: Int
  /// About how many bytes an answer has of what is told beside rows and conflicts.
  var noteLimit = PageRoom.noteBytes

  /// Answers devices.
  /// - Parameters:
  ///   - oldestVersion: the version of the oldest manifest whose devices are still served.
  ///   - byteLimit: about how many bytes the rows of an answer have together.
  public init(oldestVersion: Int = 1, byteLimit: Int = WireLimits.bodyBytes / 2) {
    versions = VersionRules(oldest: oldestVersion, newest: .max)
    self.byteLimit = byteLimit
  }

  /// Tells a device what it is missing, in all scopes that it asks for.
  ///
  /// What does not fit is left for the next page, scopes too, and the page says that it is full: each
  /// answer has a row at the least, where there is one.
  /// - Parameters:
  ///   - request: what the device has.
  ///   - account: whose device it is.
  ///   - now: the server's clock, in milliseconds since 1970.
  ///   - log: one state of the log.
  /// - Throws: `WireProblem` with the code `upgradeRequired` for a device whose manifest is too old;
  ///   what the log throws.
  public func answer(
    _ request: PullRequest, of account: AccountID, at now: Int64, from log: some ChangeLogReader
  ) throws -> PullResponse {
    try versions.checkPull(request.manifestVersion)
    var room = PageRoom(bytes: byteLimit, noteBytes: noteLimit)
    var answers: [ScopeAnswer] = []
    for cursor in request.cursors {
      let grant = try log.grant(of: account, in: cursor.scope)
      guard grant?.role.canRead == true else {
        // NB: The epoch is that of no scope, so it tells nothing of this one. That of the log is told of
        // no scope in particular.
        answers.append(ScopeAnswer(cursor.scope, epoch: 0, .notGranted))
        continue
      }
      let pull = ScopePull(cursor: cursor, request: request)
      answers.append(try pull.answer(from: log, &room))
    }
    let grants = try log.grants(of: account, after: request.grantsAfter)
    return PullResponse(
      serverTime: now, epoch: try log.epoch(),
      capabilities: request.capabilities.intersection(.all), grants: grants, scopes: answers)
  }

  /// Notes how far a device has committed what it pulled, of one that has pushed for the account. It may
  /// be left out, or done later.
  /// - Throws: what the log throws.
  public func acknowledge<Log: ChangeLogWriter>(
    _ request: PullRequest, of account: AccountID, in log: inout Log
  ) throws {
    for cursor in request.cursors
    where try log.grant(of: account, in: cursor.scope)?.role.canRead == true {
      let scope = try log.scope(cursor.scope)
      var device = try log.device(request.device, in: cursor.scope)
      let acknowledged = min(cursor.acknowledged, scope.head)
      guard cursor.epoch == scope.epoch, device.account == account,
        acknowledged > device.acknowledged
      else { continue }
      device.acknowledged = acknowledged
      try log.setDevice(request.device, in: cursor.scope, device)
    }
  }
}
