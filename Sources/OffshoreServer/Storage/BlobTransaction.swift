package import OffshoreWire

/// Access to the entries of blobs and uploads within one closure, a part of ``StorageTransaction``.
package protocol BlobTransaction {
  // MARK: Blobs

  /// Returns the entries of a blob in all scopes that have it, in the order of scopes.
  func blobs(_ hash: ContentHash) throws -> [StoredBlob]

  /// Returns how many bytes count against an account's quota, without unfinished uploads.
  func blobBytes(of account: AccountID) throws -> Int64

  /// Returns how many bytes the blobs of a scope have, without unfinished uploads.
  func blobBytes(in scope: ScopeID) throws -> Int64

  /// Adds a blob to a scope that does not have it.
  mutating func addBlob(_ blob: StoredBlob) throws

  /// Removes a blob from a scope, if the scope has it.
  mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws

  // MARK: Use

  /// Replaces ``StoredBlob/unused`` of a blob in a scope, if the scope has it.
  mutating func setUnused(_ time: Int64?, _ hash: ContentHash, in scope: ScopeID) throws

  /// Replaces the time of all blobs that are unused.
  mutating func renewUnused(at time: Int64) throws

  /// Removes the blobs that have been unused since a time or longer, the longest first.
  /// - Returns: the removed blobs, at most `limit`.
  mutating func removeBlobs(unusedSince time: Int64, limit: Int) throws -> [StoredBlob]

  /// Returns whether a row of a scope is recorded as referring to a blob.
  func isUsed(_ hash: ContentHash, in scope: ScopeID) throws -> Bool

  /// Returns the ids of the rows of a table that refer to a blob, in no order.
  func rows(of table: String, referringTo hash: ContentHash, in scope: ScopeID) throws -> [String]

  /// Records the blob to which a row refers by a column, in place of a former one; `nil` for none.
  mutating func setBlobReference(
    _ hash: ContentHash?, from row: RowID, column: String, in scope: ScopeID) throws

  /// Removes all records of references to blobs in scopes of a kind, and replaces
  /// ``StoredBlob/unused`` of the blobs there.
  mutating func resetBlobs(ofKind kind: String, unusedSince time: Int64?) throws

  // MARK: Uploads

  /// Returns the unfinished uploads of an account, in the order of hashes.
  func uploads(of account: AccountID) throws -> [BlobUpload]

  /// Returns the uploads that have expired by a time, the oldest first.
  func uploads(expiredBy now: Int64) throws -> [BlobUpload]

  /// Stores an upload, and replaces an earlier one with the same account and hash.
  mutating func setUpload(_ upload: BlobUpload) throws

  /// Removes an upload of an account, if it exists.
  mutating func removeUpload(_ hash: ContentHash, of account: AccountID) throws

  /// Removes the uploads that have expired by a time.
  /// - Returns: the removed uploads, the oldest first.
  mutating func removeUploads(expiredBy now: Int64) throws -> [BlobUpload]
}
