public import OffshoreWire

/// Changes a log, and reads its own changes. Each function throws what its storage does.
///
/// It stores what it is told: that numbers have no gaps and digests fit is for the rules to see to.
public protocol ChangeLogWriter: ChangeLogReader {
  /// Replaces the epoch of the log and of each of its scopes.
  mutating func setEpoch(_ epoch: UInt64) throws

  /// Replaces what is kept of a scope.
  mutating func setScope(_ scope: ScopeID, _ state: ScopeState) throws

  /// Replaces a row.
  mutating func setRow(_ row: SyncedRow, in scope: ScopeID) throws

  /// Notes that a row refers to another, unless that was noted before.
  mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws

  /// Notes that a row does not refer to another any more.
  mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws

  /// Forgets the tombstones up to a number.
  mutating func removeTombstones(in scope: ScopeID, upTo seq: Int64) throws

  /// Replaces what is kept of a device.
  mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: DeviceState) throws

  /// Makes every device one that has acknowledged nothing.
  mutating func forgetAcknowledgements() throws

  /// Notes what became of a batch that was not answered before.
  mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID) throws

  /// Notes an op of a rejected batch.
  mutating func addRefusal(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID) throws

  /// Forgets the ops of a device's rejected batches that were for a row and made at a time.
  mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID) throws

  /// Notes a value that did not stay, under a number that the scope has not used.
  mutating func addConflict(_ conflict: NumberedConflict, in scope: ScopeID) throws

  /// Replaces what an account may do in the scope of a grant.
  mutating func setGrant(_ grant: Grant, of account: AccountID) throws
}

extension ChangeLogWriter {
  /// Grants a role in a scope, or ends it, as the next change of the account's grants.
  @discardableResult
  public mutating func grant(
    _ role: Role, to account: AccountID, in scope: ScopeID
  ) throws -> Grant {
    let last = try grants(of: account, after: 0).last?.seq ?? 0
    let grant = Grant(scope, role, seq: last + 1)
    try setGrant(grant, of: account)
    return grant
  }

  /// Forgets the tombstones up to a number, at the most the scope's last.
  ///
  /// A device that has not pulled that far has to fetch the scope anew.
  public mutating func collect(_ scope: ScopeID, upTo seq: Int64) throws {
    var state = try self.scope(scope)
    let minSeq = min(seq, state.head)
    guard minSeq > state.minSeq else { return }
    state.minSeq = minSeq
    try removeTombstones(in: scope, upTo: minSeq)
    try setScope(scope, state)
  }

  /// Begins another epoch, after the data was restored from a copy: devices may have seen changes that
  /// are not in it, so each fetches its scopes anew.
  /// - Parameter epoch: a random number that is not 0.
  public mutating func beginEpoch(_ epoch: UInt64) throws {
    try setEpoch(epoch)
    try forgetAcknowledgements()
  }
}
