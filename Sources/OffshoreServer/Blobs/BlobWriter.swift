public import OffshoreWire

/// Write access to the blobs of a log. Each function throws the errors of its storage.
public protocol BlobWriter: BlobReader {
  /// Adds a blob to a scope that does not have it.
  mutating func addBlob(_ blob: StoredBlob) throws

  /// Removes a blob from a scope, if the scope has it.
  mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws

  /// Stores an upload, and replaces an earlier one with the same account and hash.
  mutating func setUpload(_ upload: BlobUpload) throws

  /// Removes the uploads that have expired by a time.
  /// - Returns: the removed uploads, the oldest first.
  mutating func removeUploads(expiredBy now: Int64) throws -> [BlobUpload]

  /// Removes an upload of an account, if it exists.
  mutating func removeUpload(_ hash: ContentHash, of account: AccountID) throws
}
