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

/// Reads what a log has of blobs. Each function throws what its storage does.
public protocol BlobReader {
  /// A blob in each scope that has it, in the order of scopes.
  func blobs(_ hash: ContentHash) throws -> [StoredBlob]

  /// How many bytes the blobs have that count against an account's quota.
  func blobBytes(of account: AccountID) throws -> Int64

  /// What an account is sending, in the order of hashes.
  func uploads(of account: AccountID) throws -> [BlobUpload]

  /// What is to be forgotten by a time, the oldest first.
  func uploads(expiredBy now: Int64) throws -> [BlobUpload]
}

/// Changes what a log has of blobs. Each function throws what its storage does.
public protocol BlobWriter: BlobReader {
  /// Adds a blob to a scope that does not have it.
  mutating func addBlob(_ blob: StoredBlob) throws

  /// Takes a blob out of a scope, where the scope has it.
  mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws

  /// Notes what an account is sending, or notes it anew.
  mutating func setUpload(_ upload: BlobUpload) throws

  /// Forgets what an account was sending.
  mutating func removeUpload(_ hash: ContentHash, of account: AccountID) throws
}
