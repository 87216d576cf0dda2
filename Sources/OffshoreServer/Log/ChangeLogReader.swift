public import OffshoreWire

/// Read access to one state of a log. Each function throws the errors of its storage.
public protocol ChangeLogReader {
  /// Returns the epoch of the log's data, which new scopes start with.
  func epoch() throws -> UInt64

  /// Returns the state of a scope. A scope without any change has no rows.
  func scope(_ scope: ScopeID) throws -> ScopeState

  /// Returns a row or its tombstone, or `nil` if the scope has neither.
  func row(_ row: RowID, in scope: ScopeID) throws -> SyncedRow?

  /// Returns the rows that are recorded as referring to a row, in the order of their `RowID`s.
  func referrers(of row: RowID, in scope: ScopeID) throws -> [RowID]

  /// Returns the first rows and tombstones with a sequence number greater than `seq`, in the order
  /// of their sequence numbers.
  /// - Parameter bytes: about how many bytes of rows are read. The row that reaches this size is
  ///   the last one, so the result has at least one row if any follows.
  func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) throws -> RowRun

  /// Returns the first rows and tombstones after a row, or the first of all if it is `nil`, in the
  /// order of their `RowID`s.
  /// - Parameter bytes: about how many bytes of rows are read. The row that reaches this size is
  ///   the last one.
  func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) throws -> RowRun

  /// Returns the state of a device. An unknown device has sent nothing.
  func device(_ device: DeviceID, in scope: ScopeID) throws -> DeviceState

  /// Returns the account of a device, recorded by a push to any scope, or `nil` if it is unknown.
  func owner(of device: DeviceID) throws -> AccountID?

  /// Returns how many devices in a scope belong to an account.
  func deviceCount(of account: AccountID, in scope: ScopeID) throws -> Int

  /// Returns the devices that have pushed to a scope, with their accounts. Devices of unknown
  /// accounts are left out.
  func devices(in scope: ScopeID) throws -> [DeviceID: AccountID]

  /// Returns the final result of a device's batch, or `nil` if the batch has none.
  func result(of number: Int64, by device: DeviceID, in scope: ScopeID) throws -> StoredResult?

  /// Returns the ops on a row from a device's rejected batches, in the order of arrival.
  func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) throws -> [Refusal]

  /// Returns the conflicts of a row, in the order of their numbers.
  func conflicts(of row: RowID, in scope: ScopeID) throws -> [NumberedConflict]

  /// Returns the first conflicts of a scope with a number greater than `number`, in the order of
  /// their numbers.
  /// - Parameter bytes: about how many bytes of values are read. The conflict that reaches this
  ///   size is the last one.
  func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) throws -> [NumberedConflict]

  /// Returns the grant of an account in a scope, or `nil` if it never had one.
  func grant(of account: AccountID, in scope: ScopeID) throws -> Grant?

  /// Returns whether any account ever had a grant in a scope.
  func hasGrants(in scope: ScopeID) throws -> Bool

  /// Returns the grants of an account with a number greater than `seq`, in the order of their
  /// numbers.
  func grants(of account: AccountID, after seq: Int64) throws -> [Grant]
}

extension ChangeLogReader {
  /// Returns the first rows and tombstones with a sequence number greater than `seq`, without a
  /// limit on bytes.
  ///
  /// NB: A row may have megabytes, so use this for few rows only.
  public func rows(in scope: ScopeID, after seq: Int64, limit: Int) throws -> [SyncedRow] {
    try rows(in: scope, after: seq, limit: limit, bytes: .max).rows.map(\.synced)
  }

  /// Returns the first rows and tombstones after a row, or the first of all if it is `nil`, without
  /// a limit on bytes.
  public func rows(in scope: ScopeID, after row: RowID?, limit: Int) throws -> [SyncedRow] {
    try rows(in: scope, after: row, limit: limit, bytes: .max).rows.map(\.synced)
  }

  /// Returns the first conflicts of a scope with a number greater than `number`, without a limit on
  /// bytes.
  public func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int
  ) throws -> [NumberedConflict] {
    try conflicts(in: scope, after: number, limit: limit, bytes: .max)
  }
}
