import Offshore
package import OffshoreWire

/// The answers to repeated requests, and the blobs and uploads.
extension SQLiteTransaction {
  package func idempotencyRecord(_ key: ContentHash) throws -> IdempotencyRecord? {
    try IdempotencyRecord.find(key: key).first(reader)
  }

  package func setIdempotencyRecord(_ record: IdempotencyRecord) throws {
    try record.save(writer)
  }

  package func removeIdempotencyRecords(at now: Int64) throws {
    try IdempotencyRecord.where { $0.expires <= now }.delete(writer)
  }

  package func blobs(_ hash: ContentHash) throws -> [StoredBlob] {
    try StoredBlob.where { $0.hash == hash }.all(reader).sorted { $0.scope < $1.scope }
  }

  package func blobBytes(of account: AccountID) throws -> Int64 {
    try StoredBlob.where { $0.account == account }.sum(reader) { $0.byteCount }
  }

  package func addBlob(_ blob: StoredBlob) throws { try blob.insert(writer) }

  package func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws {
    try StoredBlob.find(key: hash, scope).delete(writer)
  }

  package func uploads(of account: AccountID) throws -> [BlobUpload] {
    try BlobUpload.where { $0.account == account }.all(reader)
      .sorted { $0.hash.description < $1.hash.description }
  }

  package func uploads(expiredBy now: Int64) throws -> [BlobUpload] {
    try BlobUpload.where { $0.expires <= now }.order { $0.expires }.all(reader)
  }

  package func setUpload(_ upload: BlobUpload) throws { try upload.save(writer) }

  package func removeUpload(_ hash: ContentHash, of account: AccountID) throws {
    try BlobUpload.find(key: account, hash).delete(writer)
  }

  package func removeUploads(expiredBy now: Int64) throws -> [BlobUpload] {
    let expired = try uploads(expiredBy: now)
    try BlobUpload.where { $0.expires <= now }.delete(writer)
    return expired
  }
}
