/// Notes changes by their keys. Each function throws what its storage does.
public protocol IdempotencyWriter: IdempotencyReader {
  /// Notes a change, in place of an older one of the key.
  mutating func setIdempotencyRecord(_ record: IdempotencyRecord) throws

  /// Forgets the changes that are to be forgotten by a time, in milliseconds since 1970.
  mutating func removeIdempotencyRecords(at now: Int64) throws
}
