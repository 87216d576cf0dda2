public import Foundation
public import Offshore
public import OffshoreWire

/// The effects of an answer to a pull.
public struct PullReport: Hashable, Sendable {
  /// Whether all pages have arrived and were applied. Otherwise this answer's pages are staged:
  /// stored in the file, hidden from the app, until the other pages have arrived.
  public internal(set) var isComplete = false
  /// Whether the device should pull again at once.
  public internal(set) var hasMore = false
  /// The number of rows in the answer.
  public internal(set) var rows = 0
  /// The number of rows on this device that the answer has changed.
  public internal(set) var changed = 0
  /// Whether the answer brought anything new: rows, roles, conflicts, or the position of a next
  /// page.
  public internal(set) var hasAdvanced = false
  /// Whether changes are to be sent.
  public internal(set) var needsPush = false
  /// The number of the last change of each scope that was brought up to date.
  public internal(set) var heads: [ScopeID: Int64] = [:]
  /// Whether the next pull has to fetch all scopes: the account may read new ones, or rows were
  /// removed from a scope, which may have moved to another one.
  public internal(set) var needsAll = false
  /// The scopes whose digest differs from the server's. Their rows are fetched again, range by
  /// range or as a whole.
  public internal(set) var differingScopes: Set<ScopeID> = []
  /// Whether the account may not read a scope any more, whose rows were removed. Their content stays in
  /// the write-ahead log of the file until that is emptied.
  package internal(set) var hasEndedScopes = false
}

extension Replica {
  /// Returns the next pull request for scopes that the account may read, each from its cursor.
  ///
  /// - Parameters:
  ///   - scopes: the scopes, of which the account may be able to read only some; by default all. Up
  ///     to `WireLimits.scopesPerPull` are pulled: the first ones, by kind and then by value. A
  ///     ``SyncDriver`` pulls more scopes in several rounds.
  ///   - limit: the maximum number of rows of each scope in one answer. It is lower while a scope is
  ///     fetched for the first time.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func nextPull(
    _ reader: Reader, of scopes: Set<ScopeID>? = nil, limit: Int = WireLimits.rowsPerPage
  ) throws -> PullRequest {
    try nextPull(reader, from: try ScopeCursor.inOrder(reader, of: scopes), limit: limit)
  }

  private func nextPull(
    _ reader: Reader, from cursors: [ScopeCursor], limit: Int
  ) throws -> PullRequest {
    let state = try ReplicaState(reader)
    let unanswered = try UnansweredBatches(reader, schema.batchQueries)
    let device = unanswered.device ?? state.device
    let readable = cursors.filter { $0.role?.canRead == true }.prefix(WireLimits.scopesPerPull)
    let asked = readable.map { cursor in
      PullCursor(
        cursor.scope, epoch: cursor.fetch?.epoch ?? cursor.epoch, position: cursor.position,
        acknowledged: cursor.seq, conflictsAfter: cursor.conflicts,
        wantsRangeDigests: cursor.doubt == .asking,
        answeredBatch: unanswered.first[cursor.scope].map { $0 - 1 }
          ?? (cursor.device == device ? cursor.sent : 0))
    }.newScopesLast
    return PullRequest(
      device: device, manifestVersion: schema.manifest.version, grantsAfter: state.grants,
      cursors: asked, limit: rowLimit(of: asked, limit))
  }

  /// Applies the answer to a pull.
  ///
  /// Pages are staged, that is stored and hidden from the app, until no page of an answer is full.
  /// Then they are applied to all scopes at once, with this device's pending changes over them. While
  /// only pages of new scopes are missing, those of the others are applied before. The rows of a large
  /// new scope are shown as they arrive. If the request is outdated, for example because its answer was
  /// applied already, the pages are ignored.
  ///
  /// A row that violates a constraint of the app is hidden, which is not an error. If it has
  /// pending changes, a refused change with the code `collision` is stored for it.
  /// - Parameter ofSingleScopes: whether the request was for single scopes. If a row has moved from
  ///   one of them, its page is staged until all scopes are pulled, because the row may be in another
  ///   one.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError` if the file cannot be
  ///   written.
  public func apply(
    _ response: PullResponse, to request: PullRequest, ofSingleScopes: Bool = false,
    at times: RequestTimes, _ writer: Writer, makeID: () -> UUID
  ) throws -> PullReport {
    try apply(
      PreparedAnswer(response, schema.present), to: request, ofSingleScopes: ofSingleScopes,
      at: times, writer, makeID: makeID)
  }

  /// Applies the answer to a pull, whose rows were prepared before the write began.
  /// - Throws: as ``apply(_:to:ofSingleScopes:at:_:makeID:)``.
  package func apply(
    _ answer: PreparedAnswer, to request: PullRequest, ofSingleScopes: Bool,
    at times: RequestTimes, _ writer: Writer, makeID: () -> UUID
  ) throws -> PullReport {
    let response = answer.response
    var state = try ReplicaState(writer)
    state.clock.updateOffset(
      server: response.serverTime, sent: times.sent, received: times.received)
    try state.save(writer)
    let scopes = request.cursors.map(\.scope)
    let all = Set(scopes).union(response.grants.map(\.scope))
    let current = try cursors(writer, of: all)
    let repeated = try nextPull(
      writer, from: scopes.compactMap { current[$0] }, limit: request.limit)
    guard repeated.continues(request) else {
      var report = PullReport()
      report.hasMore = true
      return report
    }
    return try withoutActuallyEscaping(makeID) { makeID in
      var arrivals = try ScopeArrival.byScope(writer)
      func report(
        of response: PullResponse, _ cursors: [ScopeID: ScopeCursor]
      ) throws -> PullReport {
        var intake = PullIntake(
          replica: self, writer: writer, device: request.device, now: times.received,
          makeID: makeID, cursors: cursors, arrivals: arrivals, prepared: answer)
        try intake.process(response, to: request, ofSingleScopes: ofSingleScopes)
        arrivals = intake.arrivals
        return intake.report
      }
      let isNew = { (grant: Grant) in
        grant.role.canRead && current[grant.scope]?.role?.canRead != true
      }
      if state.epoch == response.epoch, response.grants.contains(where: isNew),
        let parts = request.partsBesideRoles(of: response)
      {
        var result = try report(of: parts.rest, current)
        result.add(try report(of: parts.early, try cursors(writer, of: all)))
        return result
      }
      guard !ofSingleScopes, state.epoch == 0 || state.epoch == response.epoch,
        let parts = request.parts(of: response, try WaitingScopes(arrivals, writer))
      else { return try report(of: response, current) }
      guard let early = parts.early else { return try report(of: parts.rest, current) }
      let first = try report(of: early, current)
      var report = try report(of: parts.rest, try cursors(writer, of: all))
      report.add(first)
      return report
    }
  }
}

extension PullReport {
  /// Adds the effects of the part of an answer that does not wait for the rest.
  fileprivate mutating func add(_ early: PullReport) {
    rows += early.rows
    changed += early.changed
    hasAdvanced = hasAdvanced || early.hasAdvanced
    hasEndedScopes = hasEndedScopes || early.hasEndedScopes
    needsPush = needsPush || early.needsPush
    heads.merge(early.heads) { $1 }
    differingScopes.formUnion(early.differingScopes)
  }
}

extension PullRequest {
  /// Returns whether the answer to a former request can be applied, because only answers to pushes
  /// have arrived since.
  fileprivate func continues(_ request: PullRequest) -> Bool {
    func unanswered(_ cursors: [PullCursor]) -> [PullCursor] { cursors.map { $0.answered(0) } }
    return device == request.device && manifestVersion == request.manifestVersion
      && grantsAfter == request.grantsAfter && unanswered(cursors) == unanswered(request.cursors)
      && zip(cursors, request.cursors).allSatisfy { $0.answeredBatch >= $1.answeredBatch }
  }
}

extension PullCursor {
  fileprivate func answered(_ number: Int64) -> PullCursor {
    PullCursor(
      scope, epoch: epoch, position: position, acknowledged: acknowledged,
      conflictsAfter: conflictsAfter, wantsRangeDigests: wantsRangeDigests, answeredBatch: number)
  }
}

extension Replica {
  /// Divides the scopes that the account may read into rounds of pulls: first its personal scopes, then
  /// those with hints, then those without rows yet, then the others.
  ///
  /// The first rounds of many new scopes are small: their rows are shown early, and stored while the
  /// server reads those of the next round.
  ///
  /// - Parameters:
  ///   - excluded: scopes that are not pulled.
  ///   - hinted: the scopes about which the server has sent hints.
  ///   - limit: the maximum number of scopes of a round.
  /// - Returns: at least one round; the only one is `nil` if all scopes fit into one request.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  package func pullRounds(
    _ reader: Reader, without excluded: Set<ScopeID> = [], hinted: Set<ScopeID> = [],
    limit: Int = WireLimits.scopesPerPull
  ) throws -> [Set<ScopeID>?] {
    let start = max(1, limit / 8)
    guard try !excluded.isEmpty || ScopeCursor.all.count(reader) > start else { return [nil] }
    let readable = try Self.progress.all(reader).filter { $0.role?.canRead == true }
    let isGrowing = readable.count { $0.epoch == 0 } > start
    guard !excluded.isEmpty || isGrowing || readable.count > limit else { return [nil] }
    let cursors = readable.filter { !excluded.contains($0.scope) }
    // A request without scopes still fetches grants.
    guard !cursors.isEmpty else { return [[]] }
    let personal = schema.manifest.personalKinds
    func rank(_ cursor: Progress) -> Int {
      if personal.contains(cursor.scope.kind), cursor.role == .owner { return 0 }
      if hinted.contains(cursor.scope) { return 1 }
      return cursor.epoch == 0 ? 2 : 3
    }
    var rest = Dictionary(grouping: cursors, by: rank).sorted { $0.key < $1.key }
      .flatMap(\.value)[...]
    var rounds: [Set<ScopeID>?] = []
    var size = isGrowing ? start : limit
    while !rest.isEmpty {
      rounds.append(Set(rest.prefix(size).map(\.scope)))
      rest = rest.dropFirst(size)
      size = min(3 * size, limit)
    }
    return rounds
  }

  private typealias Progress = (scope: ScopeID, role: Role?, epoch: UInt64)

  /// The scopes, by kind and then by value.
  private static let progress = ScopeCursor.order { $0.scope }.select(progress) { cursor in
    cursor.scope
    cursor.role
    cursor.epoch
  }

  private static func progress(_ scope: ScopeID, _ role: Role?, _ epoch: UInt64) -> Progress {
    (scope, role, epoch)
  }

  /// Removes the copy of a scope that the account has left.
  ///
  /// All rows of the scope are removed, as if the account's role were revoked, and the role on this
  /// device is `revoked` from then on. The server is not notified, because it already knows that
  /// the account has left.
  /// - Parameters:
  ///   - milliseconds: the current time of the device's clock, in milliseconds since 1970.
  ///   - makeID: creates the id of a batch: captured changes are sealed first.
  /// - Returns: whether a copy existed.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  @discardableResult
  public func removeCopy(
    of scope: ScopeID, _ writer: Writer, at milliseconds: Int64, makeID: () -> UUID
  ) throws -> Bool {
    var cursor = try ScopeCursor.of(scope, writer)
    if cursor.role?.canRead == true, cursor.wanted?.shown == .left {
      // The server has not answered yet.
      cursor.wanted?.removesCopy = true
      try withoutActuallyEscaping(makeID) {
        try sealAll(writer, at: milliseconds, makeID: $0)
      }
      try cursor.saveWantedRole(writer)
      try showOrHide(scope, writer, at: milliseconds)
      try deriveRoots(of: [scope], writer)
      return true
    }
    guard cursor.role == .left else { return false }
    try withoutActuallyEscaping(makeID) { makeID in
      var intake = PullIntake(
        replica: self, writer: writer, device: try device(writer), now: milliseconds,
        makeID: makeID, cursors: try cursors(writer),
        arrivals: try ScopeArrival.byScope(writer))
      try intake.removeCopy(of: scope)
    }
    return true
  }
}

extension PullIntake {
  fileprivate mutating func removeCopy(of scope: ScopeID) throws {
    guard var cursor = cursors[scope] else { return }
    cursor.role = .revoked
    try set(cursor)
    changedMembers.insert(scope)
    ended.insert(scope)
    try apply([])
  }
}
