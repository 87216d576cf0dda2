public import OffshoreWire

/// A blob as a scope has it. The same content is stored once, whatever scopes have it.
public struct StoredBlob: Hashable, Sendable {
  /// The hash of the content, which names it.
  public let hash: ContentHash
  /// The scope, whose readers may read the blob.
  public let scope: ScopeID
  /// Who has sent it there, and whose quota it counts against.
  public let account: AccountID
  /// How many bytes it has.
  public let byteCount: Int64

  /// Describes a blob.
  public init(hash: ContentHash, scope: ScopeID, account: AccountID, byteCount: Int64) {
    self.hash = hash
    self.scope = scope
    self.account = account
    self.byteCount = byteCount
  }
}
