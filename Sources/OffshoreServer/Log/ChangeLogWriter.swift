public import OffshoreWire

/// Write access to a log, which also reads its own changes. Each function throws the errors of its
/// storage.
///
/// It stores values unchecked: the rules ensure that sequence numbers have no gaps and that digests
/// are correct.
public protocol ChangeLogWriter: ChangeLogReader {
  /// Replaces the epoch of the log and of each of its scopes.
  mutating func setEpoch(_ epoch: UInt64) throws

  /// Replaces the state of a scope.
  mutating func setScope(_ scope: ScopeID, _ state: ScopeState) throws

  /// Replaces a row or a tombstone.
  mutating func setRow(_ row: SyncedRow, in scope: ScopeID) throws

  /// Records that a row refers to another, unless that is recorded already.
  mutating func addReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws

  /// Removes the record that a row refers to another.
  mutating func removeReference(from row: RowID, to parent: RowID, in scope: ScopeID) throws

  /// Removes the tombstones with a sequence number up to `seq`.
  mutating func removeTombstones(in scope: ScopeID, upTo seq: Int64) throws

  /// Replaces the state of a device.
  mutating func setDevice(_ device: DeviceID, in scope: ScopeID, _ state: DeviceState) throws

  /// Resets the acknowledged sequence number of every device to 0.
  mutating func forgetAcknowledgements() throws

  /// Stores the final result of a batch that has none yet.
  mutating func addResult(
    _ result: StoredResult, of number: Int64, by device: DeviceID, in scope: ScopeID) throws

  /// Stores an op of a rejected batch.
  mutating func addRefusal(_ refusal: Refusal, by device: DeviceID, in scope: ScopeID) throws

  /// Removes the stored ops of a device's rejected batches that are for a row and have a stamp.
  mutating func removeRefusals(
    of row: RowID, at stamp: Stamp, by device: DeviceID, in scope: ScopeID) throws

  /// Stores a conflict under a number that the scope has not used.
  mutating func addConflict(_ conflict: NumberedConflict, in scope: ScopeID) throws

  /// Replaces an account's grant in a scope.
  mutating func setGrant(_ grant: Grant, of account: AccountID) throws
}

extension ChangeLogWriter {
  /// Grants a role in a scope, or ends it, under the next number of the account's grants.
  @discardableResult
  public mutating func grant(
    _ role: Role, to account: AccountID, in scope: ScopeID
  ) throws -> Grant {
    let last = try grants(of: account, after: 0).last?.seq ?? 0
    let grant = Grant(scope, role, seq: last + 1)
    try setGrant(grant, of: account)
    return grant
  }

  /// Removes the tombstones up to a sequence number, or up to the head of the scope if that is
  /// lower.
  ///
  /// A device that has not pulled that far has to fetch the scope again.
  public mutating func collect(_ scope: ScopeID, upTo seq: Int64) throws {
    var state = try self.scope(scope)
    let minSeq = min(seq, state.head)
    guard minSeq > state.minSeq else { return }
    state.minSeq = minSeq
    try removeTombstones(in: scope, upTo: minSeq)
    try setScope(scope, state)
  }

  /// Begins a new epoch after the data was restored from a copy.
  ///
  /// Devices may have seen changes that the copy lacks, so each of them fetches its scopes again.
  /// - Parameter epoch: a random number other than 0.
  public mutating func beginEpoch(_ epoch: UInt64) throws {
    try setEpoch(epoch)
    try forgetAcknowledgements()
  }
}
