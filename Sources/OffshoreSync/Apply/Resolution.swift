import OffshoreWire

/// What a row shows, and what is kept of it, worked out from all that is known of it.
struct Resolution {
  /// What the row shows, or `nil` where it is not shown.
  let fields: [String: WireValue]?
  /// What is kept of the row, by scope.
  private(set) var kept: [ScopeID: RowEntry] = [:]
  /// The scopes in which nothing is kept of it any more.
  private(set) var forgotten: Set<ScopeID> = []

  /// Lays a row's pending ops over what is confirmed of it.
  ///
  /// Of the scopes in which the row is then there, the first shows it.
  /// - Parameter known: what is known of the row, with a shadow in every scope.
  init(
    of row: RowID, _ known: [ScopeID: RowEntry], under pending: PendingOps, _ merge: Merge,
    _ scopes: ScopePrecedence, _ table: SyncedTable
  ) {
    let confirmed = known.compactMapValues { $0.shadow?.confirmed }
    let states = pending.shown(row, over: confirmed, merge, where: scopes.isShown)
      .filter { scopes.isShown($0.key) }
    let shown = states.filter(\.value.isLiving).min { scopes.areInOrder($0.key, $1.key) }
    fields = shown?.value.fields
    forgotten = Set(known.keys).subtracting(states.keys)
    let isPending = pending.scopes(of: row)
    for (scope, state) in states {
      let isElsewhere = state.isLiving && scope != shown?.key
      var entry = RowEntry(version: RowVersion(state, in: table), hash: known[scope]?.hash ?? 0)
      if isPending.contains(scope) || isElsewhere {
        entry.shadow = RowEntry.Shadow(
          confirmed: known[scope]?.shadow?.confirmed, reason: isElsewhere ? Self.isElsewhere : nil)
      }
      kept[scope] = entry
    }
  }

  private static let isElsewhere = "Another scope has a row of this id."
}

/// Which of several scopes shows a row that all of them have.
struct ScopePrecedence {
  private let cursors: [ScopeID: ScopeCursor]

  init(_ cursors: [ScopeID: ScopeCursor]) { self.cursors = cursors }

  /// Whether rows of a scope are shown on this device.
  func isShown(_ scope: ScopeID) -> Bool { cursors[scope]?.isShown ?? true }

  /// Whether one scope comes before another: those first that go on, not copies of what was left.
  func areInOrder(_ first: ScopeID, _ second: ScopeID) -> Bool {
    rank(first) < rank(second)
  }

  private func rank(_ scope: ScopeID) -> (Int, ScopeID) {
    (cursors[scope]?.role == .left ? 1 : 0, scope)
  }
}
