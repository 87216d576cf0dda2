public import OffshoreWire

/// Read access to changes by their idempotency keys. Each function throws the errors of its
/// storage.
public protocol IdempotencyReader {
  /// Returns the record of a key, even if it has expired.
  func idempotencyRecord(_ key: ContentHash) throws -> IdempotencyRecord?
}
