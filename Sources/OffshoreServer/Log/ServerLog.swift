/// A log that has the accounts of a server too, and what else changes together with its rows.
public protocol ServerLog: ChangeLog
where
  Snapshot: AccountReader & IdempotencyReader & BlobReader,
  Transaction: AccountWriter & IdempotencyWriter & BlobWriter
{}
