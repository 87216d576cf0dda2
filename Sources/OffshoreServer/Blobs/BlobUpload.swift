public import OffshoreWire

/// An unfinished upload of a blob.
public struct BlobUpload: Hashable, Sendable {
  /// The announced hash of the content.
  public let hash: ContentHash
  /// The account that sends the blob.
  public let account: AccountID
  /// The announced size of the blob in bytes, all of which count against the quota from the start.
  public let byteCount: Int64
  /// The time at which the upload expires, in milliseconds since 1970.
  public let expires: Int64

  /// Creates an upload.
  public init(hash: ContentHash, account: AccountID, byteCount: Int64, expires: Int64) {
    self.hash = hash
    self.account = account
    self.byteCount = byteCount
    self.expires = expires
  }
}
