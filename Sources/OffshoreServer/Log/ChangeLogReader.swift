public import OffshoreWire

/// Reads one state of a log. Each function throws what its storage does.
public protocol ChangeLogReader {
  /// The epoch of the log's data, which scopes begin with.
  func epoch() throws -> UInt64

  /// A scope. One that was never written to has no rows.
  func scope(_ scope: ScopeID) throws -> ScopeState

  /// A row, or its tombstone, where the scope has one.
  func row(_ row: RowID, in scope: ScopeID) throws -> SyncedRow?

  /// The rows that were noted to refer to another, in the order of rows.
  func referrers(of row: RowID, in scope: ScopeID) throws -> [RowID]

  /// The first rows and tombstones with a number greater than another, in the order of their numbers.
  /// - Parameter bytes: with about how many bytes of rows no further one is read. The row that reaches
  ///   them is the last, so there is one at the least where the scope has one.
  func rows(in scope: ScopeID, after seq: Int64, limit: Int, bytes: Int) throws -> RowRun

  /// The first rows and tombstones after another, or of all, in the order of rows.
  /// - Parameter bytes: with about how many bytes of rows no further one is read, as above.
  func rows(in scope: ScopeID, after row: RowID?, limit: Int, bytes: Int) throws -> RowRun

  /// A device. One that was never heard of has sent nothing.
  func device(_ device: DeviceID, in scope: ScopeID) throws -> DeviceState

  /// Whose a device is, by what it has sent to whichever scope; `nil` where that is not known.
  func owner(of device: DeviceID) throws -> AccountID?

  /// How many devices of a scope are noted as an account's.
  func deviceCount(of account: AccountID, in scope: ScopeID) throws -> Int

  /// The accounts of the devices that have sent changes of a scope, as far as they are known.
  func devices(in scope: ScopeID) throws -> [DeviceID: AccountID]

  /// What became of a device's batch, where it was answered for good.
  func result(of number: Int64, by device: DeviceID, in scope: ScopeID) throws -> StoredResult?

  /// The ops of a device's rejected batches that were for a row, in the order of arrival.
  func refusals(of row: RowID, by device: DeviceID, in scope: ScopeID) throws -> [Refusal]

  /// The values of a row that were written and did not stay, in the order of their numbers.
  func conflicts(of row: RowID, in scope: ScopeID) throws -> [NumberedConflict]

  /// The first conflicts of a scope with a number greater than another, in the order of their numbers.
  /// - Parameter bytes: with about how many bytes of values no further one is read. The conflict that reaches
  ///   them is the last.
  func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int, bytes: Int
  ) throws -> [NumberedConflict]

  /// What an account may do in a scope, or `nil` where it was never granted anything.
  func grant(of account: AccountID, in scope: ScopeID) throws -> Grant?

  /// Whether any account was ever granted anything in a scope.
  func hasGrants(in scope: ScopeID) throws -> Bool

  /// The grants of an account with a number greater than another, in the order of their numbers.
  func grants(of account: AccountID, after seq: Int64) throws -> [Grant]
}

extension ChangeLogReader {
  /// The first rows and tombstones with a number greater than another, however many bytes they have.
  ///
  /// NB: A row may have megabytes, so this is for where few are asked for.
  public func rows(in scope: ScopeID, after seq: Int64, limit: Int) throws -> [SyncedRow] {
    try rows(in: scope, after: seq, limit: limit, bytes: .max).rows.map(\.synced)
  }

  /// The first rows and tombstones after another, or of all, however many bytes they have.
  public func rows(in scope: ScopeID, after row: RowID?, limit: Int) throws -> [SyncedRow] {
    try rows(in: scope, after: row, limit: limit, bytes: .max).rows.map(\.synced)
  }

  /// The first conflicts of a scope with a number greater than another, however many bytes they have.
  public func conflicts(
    in scope: ScopeID, after number: Int64, limit: Int
  ) throws -> [NumberedConflict] {
    try conflicts(in: scope, after: number, limit: limit, bytes: .max)
  }
}
