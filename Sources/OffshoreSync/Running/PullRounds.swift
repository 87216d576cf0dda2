package import OffshoreWire

/// The rounds of a pull of all scopes. A request has a limited number of scopes, so a device with
/// more of them pulls them in turn.
package struct PullRounds {
  /// The scopes of each round that is not complete, the current one first; `nil` stands for all.
  private var rest: [Set<ScopeID>?]
  /// The heads of the complete rounds.
  private var heads: [ScopeID: Int64] = [:]

  package init(_ rounds: [Set<ScopeID>?] = []) { rest = rounds }

  /// Whether all rounds are complete.
  package var isOver: Bool { rest.isEmpty }

  /// The scopes of the current round, or `nil` for all.
  package var current: Set<ScopeID>? { rest.first ?? nil }

  /// Begins again with the first round after an event, if scopes that were already pulled may have
  /// changed without a hint.
  package mutating func restart(after event: SyncEngine.Event) {
    if event.wantsLatest { self = PullRounds() }
  }

  /// Adds the report of a request of the current round.
  /// - Returns: the report of the whole pull, which is complete after its last round.
  package mutating func add(_ report: PullReport) -> PullReport {
    var report = report
    guard report.isComplete else {
      // The next pull has other scopes.
      if report.needsAll { rest = [] }
      return report
    }
    // Without a current round, the pull has begun again meanwhile.
    let isCurrent = !rest.isEmpty
    heads.merge(report.heads) { $1 }
    if isCurrent { rest.removeFirst() }
    if isCurrent, rest.isEmpty {
      report.heads = heads
      heads = [:]
    } else {
      (report.isComplete, report.hasMore, report.hasAdvanced) = (false, true, true)
    }
    return report
  }
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
