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

// MARK: - References to blobs

/// A file column of a row.
struct FilePlace: Hashable, Sendable {
  let scope: ScopeID
  let row: RowID
  let column: String
}

extension MemoryState {
  package func isUsed(_ hash: ContentHash, in scope: ScopeID) -> Bool {
    blobReferences.contains { $0.key.scope == scope && $0.value == hash }
  }

  package func rows(
    of table: String, referringTo hash: ContentHash, in scope: ScopeID
  ) -> [String] {
    let places = blobReferences.filter { $0.key.scope == scope && $0.value == hash }.keys
    return Array(Set(places.map(\.row).filter { $0.table == table }.map(\.id)))
  }

  package mutating func setBlobReference(
    _ hash: ContentHash?, from row: RowID, column: String, in scope: ScopeID
  ) { blobReferences[FilePlace(scope: scope, row: row, column: column)] = hash }

  package mutating func resetBlobs(ofKind kind: String, unusedSince time: Int64?) {
    blobReferences = blobReferences.filter { $0.key.scope.kind != kind }
    for index in blobs.indices where blobs[index].scope.kind == kind { blobs[index].unused = time }
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

  package func blobBytes(in scope: ScopeID) -> Int64 {
    blobs.filter { $0.scope == scope }.reduce(0) { $0 + $1.byteCount }
  }

  package func uploads(of account: AccountID) -> [BlobUpload] {
    uploads.filter { $0.account == account }.sorted { $0.hash.description < $1.hash.description }
  }

  package mutating func addBlob(_ blob: StoredBlob) { blobs.append(blob) }

  package mutating func removeBlob(_ hash: ContentHash, from scope: ScopeID) {
    blobs.removeAll { $0.hash == hash && $0.scope == scope }
  }

  package mutating func setUnused(_ time: Int64?, _ hash: ContentHash, in scope: ScopeID) {
    for index in blobs.indices where blobs[index].hash == hash && blobs[index].scope == scope {
      blobs[index].unused = time
    }
  }

  package mutating func renewUnused(at time: Int64) {
    for index in blobs.indices where blobs[index].unused != nil { blobs[index].unused = time }
  }

  package mutating func removeBlobs(unusedSince time: Int64, limit: Int) -> [StoredBlob] {
    func order(_ blob: StoredBlob) -> (Int64, String, ScopeID) {
      (blob.unused ?? .max, blob.hash.description, blob.scope)
    }
    let old = blobs.filter { blob in blob.unused.map { $0 <= time } ?? false }
    let unused = old.sorted { order($0) < order($1) }.prefix(limit)
    for blob in unused { removeBlob(blob.hash, from: blob.scope) }
    return Array(unused)
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
