public import OffshoreWire

/// A blob in a scope. The same content is stored once for all scopes.
public struct StoredBlob: Hashable, Sendable {
  /// The hash that identifies the content.
  public let hash: ContentHash
  /// The scope, whose members may read the blob.
  public let scope: ScopeID
  /// The account that sent the blob to the scope, and whose quota it counts against.
  public let account: AccountID
  /// The size of the blob in bytes.
  public let byteCount: Int64

  /// Creates an entry of a blob.
  public init(hash: ContentHash, scope: ScopeID, account: AccountID, byteCount: Int64) {
    self.hash = hash
    self.scope = scope
    self.account = account
    self.byteCount = byteCount
  }
}
