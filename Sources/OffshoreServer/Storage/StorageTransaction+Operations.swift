package import OffshoreWire

extension StorageTransaction {
  /// Returns the first rows and tombstones with a sequence number greater than `seq`, without a
  /// limit on bytes.
  ///
  /// NB: A row may have megabytes, so use this for few rows only.
  package func rows(in scope: ScopeID, after seq: Int64, limit: Int) throws -> [SyncedRow] {
    try rows(in: scope, after: seq, limit: limit, bytes: .max).rows.map(\.syncedRow)
  }

  /// Returns the first rows and tombstones after a row, or the first of all if it is `nil`, without
  /// a limit on bytes.
  package func rows(in scope: ScopeID, after row: RowID?, limit: Int) throws -> [SyncedRow] {
    try rows(in: scope, after: row, limit: limit, bytes: .max).rows.map(\.syncedRow)
  }

  /// Returns the first conflicts of a scope with a number greater than `number`, without a limit on
  /// bytes.
  package func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int
  ) throws -> [NumberedConflict] {
    try conflicts(in: scope, after: number, limit: limit, bytes: .max)
  }

  /// Grants a role in a scope, or ends it, under the next number of the account's grants.
  ///
  /// An account that may not read the scope so far begins to read it at its present state.
  /// - Parameter isByRule: whether the account reads the scope by a rule, rather than as a member.
  @discardableResult
  package mutating func grant(
    _ role: Role, to account: AccountID, in scope: ScopeID, isByRule: Bool = false
  ) throws -> Grant {
    let grant = Grant(scope, role, seq: try lastGrant(of: account) + 1)
    var start = try reading(of: account, in: scope)?.start
    if start == nil, role.canRead {
      let state = try self.scope(scope)
      start = ReadingStart(head: isByRule ? state.head : nil, conflicts: state.conflicts)
    }
    try setGrant(grant, of: account, start: start ?? ReadingStart())
    changes.add(grant, of: account)
    return grant
  }

  /// Removes a scope for good, with everything that is stored of it. The caller ends the grants.
  ///
  /// Its state stays, as that of a scope whose last change was removed. So no account can claim it
  /// again: a device may still have changes of the scope to send.
  /// - Parameter retainsResults: whether batches that arrive again get their former results.
  /// - Returns: the hashes of its blobs.
  package mutating func removeScope(
    _ scope: ScopeID, retainingResults retainsResults: Bool = false
  ) throws -> Set<ContentHash> {
    let former = try self.scope(scope)
    let blobs = try removeContents(of: scope, retainingResults: retainsResults)
    let head = max(former.head, 1)
    try setScope(
      scope,
      ScopeState(
        head: head, minSeq: head, conflicts: former.conflicts, epoch: former.epoch))
    return blobs
  }

  /// Checks that an account was not removed since its request was admitted.
  /// - Throws: ``AccountError`` with the code `unauthorized`; any error of the storage.
  func checkIsNotRemoved(_ account: AccountID) throws {
    guard try !isRemoved(account) else {
      throw AccountError(.unauthorized, "The account was deleted. Nothing more is synced.")
    }
  }

  /// Removes the tombstones up to a sequence number, or up to the head of the scope if that is
  /// lower.
  ///
  /// A device that has not pulled that far has to fetch the scope again.
  package mutating func collect(_ scope: ScopeID, upTo seq: Int64) throws {
    let minSeq = try raiseMinSeq(of: scope, to: seq)
    try removeTombstones(in: scope, upTo: minSeq, limit: .max)
  }

  /// Begins a new epoch after the data was restored from a copy.
  ///
  /// Devices may have seen changes that the copy lacks, so each of them fetches its scopes again.
  /// - Parameter epoch: a random number other than 0.
  package mutating func beginEpoch(_ epoch: UInt64) throws {
    try setEpoch(epoch)
    try resetAcknowledgements()
  }
}
