public import OffshoreWire

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
