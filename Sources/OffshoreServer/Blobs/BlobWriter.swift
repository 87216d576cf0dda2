public import OffshoreWire

/// Changes what a log has of blobs. Each function throws what its storage does.
public protocol BlobWriter: BlobReader {
  /// Adds a blob to a scope that does not have it.
  mutating func addBlob(_ blob: StoredBlob) throws

  /// Takes a blob out of a scope, where the scope has it.
  mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws

  /// Notes what an account is sending, or notes it anew.
  mutating func setUpload(_ upload: BlobUpload) throws

  /// Forgets what is to be forgotten by a time.
  /// - Returns: what it was, the oldest first.
  mutating func removeUploads(expiredBy now: Int64) throws -> [BlobUpload]

  /// Forgets what an account was sending.
  mutating func removeUpload(_ hash: ContentHash, of account: AccountID) throws
}
