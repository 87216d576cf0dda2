public import OffshoreWire

/// A change that a client may send again, recorded under its idempotency key.
public struct IdempotencyRecord: Hashable, Sendable {
  /// The hash of the account and the key.
  public let key: ContentHash
  /// The hash of the request. A different request with the same key is an error.
  public let request: ContentHash
  /// The scope of the row that was changed.
  public let scope: ScopeID
  /// The row that was changed.
  public let row: RowID
  /// The time at which the record expires, in milliseconds since 1970.
  public let expires: Int64

  /// Creates a record.
  public init(
    key: ContentHash, request: ContentHash, scope: ScopeID, row: RowID, expires: Int64
  ) {
    self.key = key
    self.request = request
    self.scope = scope
    self.row = row
    self.expires = expires
  }
}
