/// A log that has the accounts of a server too, and what else changes together with its rows.
public protocol ServerLog: ChangeLog
where
  Snapshot: AccountReader & IdempotencyReader & BlobReader,
  Transaction: AccountWriter & IdempotencyWriter & BlobWriter & TombstoneWriter
{
  /// How many bytes are stored on this machine, where that can be told.
  var storedBytes: Int64? { get }
}

extension ServerLog {
  public var storedBytes: Int64? { nil }
}
