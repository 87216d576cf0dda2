package import OffshoreWire

/// The rounds of a pull of all scopes. A request has a limited number of scopes, so a device with
/// more of them pulls them in turn.
///
/// Scopes that are hinted at meanwhile get a round of their own before the remaining ones, or are added
/// to the current one if that has further pages, so that their changes do not wait for all scopes.
///
/// If an answer cannot be read, its round is divided until the scopes are found that cause it. They
/// are set aside, so that the others go on. After the other rounds of each later pull, some of them
/// are tried again.
package struct PullRounds {
  /// The scopes and the size of one request.
  package struct Round: Hashable {
    /// The scopes, or `nil` for all.
    package var scopes: Set<ScopeID>?
    /// The maximum number of rows of each scope in one answer.
    package var rowLimit = WireLimits.rowsPerPage
    /// Whether the scopes are in this round because of hints.
    fileprivate var isHinted = false

    init(scopes: Set<ScopeID>? = nil, rowLimit: Int = WireLimits.rowsPerPage) {
      (self.scopes, self.rowLimit) = (scopes, rowLimit)
    }
  }

  /// A scope whose answer cannot be read, and the reason.
  private struct SetAside {
    let scope: ScopeID
    let failure: SyncEngine.Failure
  }

  /// The rounds that are not complete, the current one first.
  private var rest: [Round]
  /// The heads of the complete rounds.
  private var heads: [ScopeID: Int64] = [:]
  /// The scopes that this pull has found to be unreadable. They are set aside at its end.
  private var found: [SetAside] = []
  /// The scopes that were set aside before and are tried again by this pull.
  private var retried: Set<ScopeID> = []
  /// The scopes that are set aside, those first that were tried the longest time ago.
  private var setAside: [SetAside] = []

  /// The maximum number of rows in a page of a scope whose larger page cannot be read: one with many
  /// columns may have more values than a device reads.
  private static let smallRowLimit = 250
  /// The maximum number of scopes that one pull tries again.
  private static let retryLimit = 8

  package init(_ rounds: [Set<ScopeID>?] = []) { rest = rounds.map { Round(scopes: $0) } }

  /// Whether all rounds are complete.
  package var isOver: Bool { rest.isEmpty }

  /// The scopes of the current round, or `nil` for all.
  package var current: Set<ScopeID>? { round.scopes }

  /// The current round, or one with all scopes.
  var round: Round { rest.first ?? Round() }

  /// Returns the round that follows the current one by a number of rounds, or `nil` if there are fewer.
  func later(_ number: Int) -> Round? { rest.dropFirst(number).first }

  /// The scopes that ``begin(_:)`` expects to be left out.
  var scopesSetAside: Set<ScopeID> { Set(setAside.map(\.scope)) }

  /// The reason why a scope is set aside, or `nil` if none is.
  var failure: SyncEngine.Failure? { setAside.first?.failure }

  /// Begins a pull.
  /// - Parameter rounds: the scopes of each round, without those that are set aside.
  mutating func begin(_ rounds: [Set<ScopeID>?]) {
    let scopes = setAside.prefix(Self.retryLimit).map(\.scope)
    rest =
      rounds.map { Round(scopes: $0) }
      + scopes.map { Round(scopes: [$0], rowLimit: Self.smallRowLimit) }
    (heads, found, retried) = ([:], [], Set(scopes))
  }

  /// Adapts the rounds to an event.
  ///
  /// If scopes that were already pulled may have changed without a hint, the pull begins again with
  /// the first round. A scope with a hint comes before the remaining rounds.
  package mutating func handle(_ event: SyncEngine.Event) {
    if event.wantsLatest { (rest, heads) = ([], [:]) }
    if case .hint(let hint) = event, !hint.isAboutMembers { advance(hint) }
  }

  /// Moves a scope into a round of hinted scopes, before the remaining rounds.
  ///
  /// NB: If the current round is of hinted scopes, too, another round comes first. Otherwise the
  /// others would wait while hints arrive without a pause.
  private mutating func advance(_ hint: Hint) {
    let place = rest.first?.isHinted == true ? 2 : 1
    guard place < rest.count, heads[hint.scope].map({ $0 < hint.head }) ?? true,
      !rest.contains(where: { $0.rowLimit == Self.smallRowLimit && $0.has(hint.scope) }),
      !scopesSetAside.contains(hint.scope), !found.contains(where: { $0.scope == hint.scope })
    else { return }
    if !rest[place].isHinted {
      var round = Round(scopes: [])
      round.isHinted = true
      rest.insert(round, at: place)
    }
    // Further hints lead to a pull after this one.
    guard (rest[place].scopes?.count ?? 0) < WireLimits.scopesPerPull else { return }
    rest[place].scopes?.insert(hint.scope)
    for later in rest.indices.dropFirst(place + 1) { rest[later].scopes?.remove(hint.scope) }
    rest[(place + 1)...].removeAll { $0.scopes?.isEmpty == true }
  }

  /// Adds a round of hinted scopes to the current one, which is not complete, and may have a large scope.
  ///
  /// In one request, a row that moves between two scopes is never missing. If there are too many scopes for
  /// that, the hinted ones come first, and the current round continues afterwards.
  private mutating func addHinted() {
    guard rest.count > 1, rest[1].isHinted, !rest[0].isHinted, let hinted = rest[1].scopes,
      let scopes = rest[0].scopes
    else { return }
    let all = scopes.union(hinted)
    if all.count <= WireLimits.scopesPerPull {
      rest[0].scopes = all
      rest.remove(at: 1)
    } else if scopes.isDisjoint(with: hinted) {
      // Otherwise a page of theirs may be staged until the round is complete.
      rest.swapAt(0, 1)
    }
  }

  /// Adds the report of a request of the current round.
  /// - Returns: the report of the whole pull, which is complete after its last round.
  package mutating func add(_ report: PullReport) -> PullReport {
    var report = report
    guard report.isComplete else {
      if report.needsAll {
        // The next pull has other scopes.
        rest = []
      } else {
        addHinted()
      }
      return report
    }
    // Without a current round, the pull has begun again meanwhile.
    let isCurrent = !rest.isEmpty
    heads.merge(report.heads) { $1 }
    if isCurrent { rest.removeFirst() }
    if isCurrent, rest.isEmpty {
      end()
      report.heads = heads
      heads = [:]
    } else {
      (report.isComplete, report.hasMore, report.hasAdvanced) = (false, true, true)
    }
    return report
  }

  /// Sets unreadable scopes aside at the end of a pull. Hints for them request no further pull.
  private mutating func end() {
    setAside.removeAll { retried.contains($0.scope) }
    setAside += found
    for scope in scopesSetAside { heads[scope] = .max }
  }

  // MARK: - Unreadable answers

  /// Divides the current round, whose answer cannot be read, or sets its only scope aside.
  ///
  /// NB: A request without scopes follows. If its answer cannot be read either, the reason is not in
  /// a scope: a network with a sign-in page, for example, answers every request with a page.
  /// - Parameter scopes: the scopes of the request.
  /// - Returns: whether the pull continues.
  mutating func divide(after failure: SyncEngine.Failure, scopes: [ScopeID]) -> Bool {
    guard let round = rest.first else { return true }
    guard let first = scopes.first else {
      rest = []
      return false
    }
    if scopes.count > 1 {
      let parts = [scopes.prefix(scopes.count / 2), scopes.dropFirst(scopes.count / 2)]
      rest.replaceSubrange(
        0..<1, with: parts.map { Round(scopes: Set($0), rowLimit: round.rowLimit) })
    } else if round.rowLimit > Self.smallRowLimit {
      rest[0] = Round(scopes: [first], rowLimit: Self.smallRowLimit)
    } else {
      rest.removeFirst()
      found.append(SetAside(scope: first, failure: Self.failure(of: first, failure)))
    }
    rest.insert(Round(scopes: []), at: 0)
    return true
  }

  private static func failure(
    of scope: ScopeID, _ failure: SyncEngine.Failure
  ) -> SyncEngine.Failure {
    SyncEngine.Failure(
      .malformed,
      "The scope \(scope.text) cannot be read, and will be tried again. \(failure.message)")
  }
}

extension PullRounds.Round {
  fileprivate func has(_ scope: ScopeID) -> Bool { scopes?.contains(scope) ?? true }
}

extension SyncEngine.Event {
  /// Whether the next pull has to fetch the server's present state, rather than use an answer that
  /// was requested ahead, or continue with the round of an earlier pull.
  var wantsLatest: Bool {
    switch self {
    case .started, .streamOpened, .syncNow, .reachabilityChanged, .credentialsChanged: true
    default: false
    }
  }
}
