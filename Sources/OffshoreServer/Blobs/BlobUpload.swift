public import OffshoreWire

/// A blob that an account is sending.
public struct BlobUpload: Hashable, Sendable {
  /// The hash that the content is to have.
  public let hash: ContentHash
  /// Who sends it.
  public let account: AccountID
  /// How many bytes it is to have. They count against the quota from the first one.
  public let byteCount: Int64
  /// When what has arrived is forgotten, in milliseconds since 1970.
  public let expires: Int64

  /// Describes an upload.
  public init(hash: ContentHash, account: AccountID, byteCount: Int64, expires: Int64) {
    self.hash = hash
    self.account = account
    self.byteCount = byteCount
    self.expires = expires
  }
}
