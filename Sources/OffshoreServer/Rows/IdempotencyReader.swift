public import OffshoreWire

/// Reads which changes were made by which keys. Each function throws what its storage does.
public protocol IdempotencyReader {
  /// The change of a key, forgotten or not.
  func idempotencyRecord(_ key: ContentHash) throws -> IdempotencyRecord?
}
