import OffshoreWire

/// The ops that are merged over rows, by row, in the order in which they were made: those of sealed
/// batches, and refused insertions that stay in their place.
struct PendingOps {
  /// An op, and the scope of its batch.
  struct Entry {
    let scope: ScopeID
    let op: Op
    /// Whether the server has refused the op for good.
    var isRefused = false
  }

  private(set) var entries: [RowID: [Entry]] = [:]

  init(_ batches: [SealedBatch], refused: [StoredRefusal] = []) {
    for sealed in batches {
      for op in sealed.batch.ops {
        add(Entry(scope: sealed.batch.scope, op: op))
      }
    }
    for refusal in refused {
      guard let scope = refusal.scope, let op = refusal.op else { continue }
      add(Entry(scope: scope, op: op, isRefused: true))
    }
  }

  /// NB: A refused op that is sealed again can be in a later batch than ops that were made after
  /// it.
  private mutating func add(_ entry: Entry) {
    var list = entries[entry.op.row] ?? []
    let place = list.lastIndex { $0.op.stamp <= entry.op.stamp }.map { $0 + 1 } ?? 0
    list.insert(entry, at: place)
    entries[entry.op.row] = list
  }

  subscript(row: RowID) -> [Entry] { entries[row] ?? [] }

  /// Returns whether the server has to answer a change of a row.
  func isUnanswered(_ row: RowID) -> Bool { self[row].contains { !$0.isRefused } }

  /// Returns the rows of some tables, in order.
  func rows(of tables: Set<String>) -> [RowID] {
    entries.keys.filter { tables.contains($0.table) }.sorted()
  }

  /// Returns the scopes of a row's ops, including those into which they move the row.
  func scopes(of row: RowID) -> Set<ScopeID> {
    var scopes: Set<ScopeID> = []
    for entry in self[row] {
      scopes.insert(entry.scope)
      if case .move(let target) = entry.op.kind { scopes.insert(target) }
    }
    return scopes
  }

  /// Returns the state of a row in each scope: its ops merged over the confirmed states.
  /// - Parameter isShown: returns whether the ops of a scope are merged.
  func shown(
    _ row: RowID, over confirmed: [ScopeID: RowState], _ merge: Merge,
    where isShown: (ScopeID) -> Bool
  ) -> [ScopeID: RowState] {
    var states = confirmed
    for entry in self[row] where isShown(entry.scope) {
      // Another device may have inserted the row meanwhile.
      if entry.isRefused, states[entry.scope]?.isLiving == true { continue }
      guard case .merged(let merged) = merge.apply(entry.op, to: states[entry.scope]) else {
        continue
      }
      states[entry.scope] = merged.state
      guard case .move(let target) = entry.op.kind, let carried = merged.carried else { continue }
      let arrival = Op.arrival(of: entry.op, carrying: carried, in: states[target])
      if case .merged(let arrived) = merge.apply(arrival, to: states[target]) {
        states[target] = arrived.state
      }
    }
    return states
  }
}
