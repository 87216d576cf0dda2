package import OffshoreWire

// Changes of one scope, composed of the functions of any storage.

extension StorageTransaction {
  package func presence(of row: RowID, in scope: ScopeID) throws -> RowState.Presence? {
    try self.row(row, in: scope)?.state.presence
  }

  /// Returns all rows that are recorded as referring to a row, in the order of their `RowID`s.
  package func referrers(of row: RowID, in scope: ScopeID) throws -> [RowID] {
    try referrers(of: row, in: scope, after: nil, limit: .max)
  }

  /// Raises the number up to which tombstones may have been removed, at most to the head of the
  /// scope.
  /// - Returns: the number, which may be higher already.
  mutating func raiseMinSeq(of scope: ScopeID, to seq: Int64) throws -> Int64 {
    var state = try self.scope(scope)
    let minSeq = min(seq, state.head)
    guard minSeq > state.minSeq else { return state.minSeq }
    state.minSeq = minSeq
    try setScope(scope, state)
    return minSeq
  }

  /// Removes the keys of a row's JSON columns that were removed at or before a time, as a change
  /// that devices pull.
  ///
  /// NB: A removed key with a version of its own is part of the digest, so the row gets a new
  /// number. An edit that is older than the removal and arrives later brings the key back.
  /// - Returns: whether the row had such keys.
  mutating func removeKeys(of row: RowID, in scope: ScopeID, before time: Int64) throws -> Bool {
    guard let state = try self.row(row, in: scope)?.state,
      let next = state.withoutRemovedKeys(before: time)
    else { return false }
    var scopeState = try self.scope(scope)
    let seq = scopeState.replace(state, with: next, of: row)
    try setRow(SyncedRow(row, seq: seq, state: next), in: scope)
    try setScope(scope, scopeState)
    return true
  }
}
