/// A log that also stores accounts, blobs and idempotency records, in the transactions of its rows.
public protocol ServerLog: ChangeLog
where
  Snapshot: AccountReader & IdempotencyReader & BlobReader,
  Transaction: AccountWriter & IdempotencyWriter & BlobWriter & TombstoneWriter
{
  /// The size of the data on this machine in bytes, or `nil` if it is unknown.
  var storedBytes: Int64? { get }
}

extension ServerLog {
  public var storedBytes: Int64? { nil }
}
