public import OffshoreWire

/// Read access to the blobs of a log. Each function throws the errors of its storage.
public protocol BlobReader {
  /// Returns the entries of a blob in all scopes that have it, in the order of scopes.
  func blobs(_ hash: ContentHash) throws -> [StoredBlob]

  /// Returns how many bytes count against an account's quota, without unfinished uploads.
  func blobBytes(of account: AccountID) throws -> Int64

  /// Returns the unfinished uploads of an account, in the order of hashes.
  func uploads(of account: AccountID) throws -> [BlobUpload]

  /// Returns the uploads that have expired by a time, the oldest first.
  func uploads(expiredBy now: Int64) throws -> [BlobUpload]
}
