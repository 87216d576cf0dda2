/// Write access to changes by their idempotency keys. Each function throws the errors of its
/// storage.
public protocol IdempotencyWriter: IdempotencyReader {
  /// Stores a record, and replaces an older one of the same key.
  mutating func setIdempotencyRecord(_ record: IdempotencyRecord) throws

  /// Removes the records that have expired by a time, in milliseconds since 1970.
  mutating func removeIdempotencyRecords(at now: Int64) throws
}
