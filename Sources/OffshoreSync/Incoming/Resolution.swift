import OffshoreWire

/// The visible state of a row and its new entries, computed from its former entries and pending
/// ops.
struct Resolution {
  /// The state to show, or `nil` if the row is not visible.
  let state: RowState?
  /// The entries to store, by scope.
  private(set) var stored: [ScopeID: RowEntry] = [:]
  /// The scopes whose entries are to be deleted.
  private(set) var removedScopes: Set<ScopeID> = []

  /// Merges a row's pending ops over its confirmed states.
  ///
  /// If the row then exists in several scopes, the first of them shows it. A hidden scope shows none.
  /// - Parameter known: the entries of the row, each with a shadow.
  init(
    of row: RowID, _ known: [ScopeID: RowEntry], under pending: PendingOps, _ merge: Merge,
    _ scopes: ScopePrecedence, _ table: SyncedTable
  ) {
    let confirmed = known.compactMapValues { $0.shadow?.confirmed }
    let states = pending.shown(row, over: confirmed, merge, where: scopes.isShown)
      .filter { scopes.isShown($0.key) }
    let shown = states.filter { $0.value.isLiving && !scopes.isHidden($0.key) }
      .min { scopes.areInOrder($0.key, $1.key) }
    state = shown?.value
    removedScopes = Set(known.keys).subtracting(states.keys)
    let isPending = pending.scopes(of: row)
    for (scope, state) in states {
      let isElsewhere = state.isLiving && scope != shown?.key
      var entry = RowEntry(version: RowVersion(state, in: table), hash: known[scope]?.hash ?? 0)
      if isPending.contains(scope) || isElsewhere {
        entry.shadow = RowEntry.Shadow(
          confirmed: known[scope]?.shadow?.confirmed,
          reason: scopes.isHidden(scope)
            ? Self.isLeaving : isElsewhere ? Self.isElsewhere : nil)
      }
      stored[scope] = entry
    }
  }

  private static let isElsewhere = "Another scope has a row of this id."
  /// The reason by which the rows of a scope are hidden that the account leaves.
  static let isLeaving = "The account leaves the scope."
}

/// The order that decides which of several scopes shows a row.
struct ScopePrecedence {
  private let cursors: [ScopeID: ScopeCursor]

  init(_ cursors: [ScopeID: ScopeCursor]) { self.cursors = cursors }

  /// Returns whether this device shows the rows of a scope.
  func isShown(_ scope: ScopeID) -> Bool { cursors[scope]?.isShown ?? true }

  /// Returns whether the rows of a scope are hidden, because the account leaves it.
  func isHidden(_ scope: ScopeID) -> Bool { cursors[scope]?.isHidden ?? false }

  /// Returns whether one scope comes before another. Scopes that the account has left come last.
  func areInOrder(_ first: ScopeID, _ second: ScopeID) -> Bool {
    rank(first) < rank(second)
  }

  private func rank(_ scope: ScopeID) -> (Int, ScopeID) {
    (cursors[scope]?.shownRole == .left ? 1 : 0, scope)
  }
}
