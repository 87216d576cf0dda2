package import OffshoreServer
package import OffshoreWire

// MARK: - Idempotency keys

extension MemoryState {
  package func idempotencyRecord(_ key: ContentHash) -> IdempotencyRecord? {
    idempotencyRecords[key]
  }

  package mutating func setIdempotencyRecord(_ record: IdempotencyRecord) {
    idempotencyRecords[record.key] = record
  }

  package mutating func removeIdempotencyRecords(at now: Int64) {
    idempotencyRecords = idempotencyRecords.filter { $0.value.expires > now }
  }
}

// MARK: - Blobs

extension MemoryState {
  package func blobs(_ hash: ContentHash) -> [StoredBlob] {
    blobs.filter { $0.hash == hash }.sorted { $0.scope < $1.scope }
  }

  package func blobBytes(of account: AccountID) -> Int64 {
    blobs.filter { $0.account == account }.reduce(0) { $0 + $1.byteCount }
  }

  package func uploads(of account: AccountID) -> [BlobUpload] {
    uploads.filter { $0.account == account }.sorted { $0.hash.description < $1.hash.description }
  }

  package mutating func addBlob(_ blob: StoredBlob) { blobs.append(blob) }

  package mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) {
    blobs.removeAll { $0.hash == hash && $0.scope == scope }
  }

  package mutating func setUpload(_ upload: BlobUpload) {
    removeUpload(upload.hash, of: upload.account)
    uploads.append(upload)
  }

  package mutating func removeUpload(_ hash: ContentHash, of account: AccountID) {
    uploads.removeAll { $0.hash == hash && $0.account == account }
  }

  package func uploads(expiredBy now: Int64) -> [BlobUpload] {
    uploads.filter { $0.expires <= now }.sorted { $0.expires < $1.expires }
  }

  package mutating func removeUploads(expiredBy now: Int64) -> [BlobUpload] {
    defer { uploads.removeAll { $0.expires <= now } }
    return uploads(expiredBy: now)
  }
}
