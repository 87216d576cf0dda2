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

  /// Adds the report of a request of the current round.
  /// - Returns: the report of the whole pull, which is complete after its last round.
  package mutating func add(_ report: PullReport) -> PullReport {
    var report = report
    guard report.isComplete else {
      // The next pull has other scopes.
      if report.needsAll { rest = [] }
      return report
    }
    heads.merge(report.heads) { $1 }
    if !rest.isEmpty { rest.removeFirst() }
    if rest.isEmpty {
      report.heads = heads
      heads = [:]
    } else {
      (report.isComplete, report.hasMore, report.hasAdvanced) = (false, true, true)
    }
    return report
  }
}
