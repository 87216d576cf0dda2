public import OffshoreWire

/// What a server keeps of a change that a client may send again, by the key that it sent along.
public struct IdempotencyRecord: Hashable, Sendable {
  /// The hash of the account and the key.
  public let key: ContentHash
  /// The hash of the request. Another request with the key is a mistake.
  public let request: ContentHash
  /// The scope of the row that was changed.
  public let scope: ScopeID
  /// The row that was changed.
  public let row: RowID
  /// When it is forgotten, in milliseconds since 1970.
  public let expires: Int64

  /// Describes a change.
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
