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

  package func blobBytes(in scope: ScopeID) throws -> Int64 {
    try StoredBlob.where { $0.scope == scope }.sum(reader) { $0.byteCount }
  }

  package func addBlob(_ blob: StoredBlob) throws { try blob.insert(writer) }

  package func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws {
    try StoredBlob.find(key: hash, scope).delete(writer)
  }

  package func setUnused(_ time: Int64?, _ hash: ContentHash, in scope: ScopeID) throws {
    try StoredBlob.find(key: hash, scope).update(writer) { [$0.unused.set(time)] }
  }

  package func renewUnused(at time: Int64) throws {
    try StoredBlob.where { $0.unused != nil }.update(writer) { [$0.unused.set(time)] }
  }

  package func removeBlobs(unusedSince time: Int64, limit: Int) throws -> [StoredBlob] {
    let unused = try StoredBlob.unused(since: time, limit: limit).all(reader, as: StoredBlob.self)
    for blob in unused { try removeBlob(blob.hash, from: blob.scope) }
    return unused
  }

  package func isUsed(_ hash: ContentHash, in scope: ScopeID) throws -> Bool {
    try BlobReferenceRecord.where { $0.scope == scope && $0.hash == hash }.exists(reader)
  }

  package func rows(
    of table: String, referringTo hash: ContentHash, in scope: ScopeID
  ) throws -> [String] {
    try BlobReferenceRecord
      .where { $0.scope == scope && $0.hash == hash && $0.tableName == table }
      .select { $0.id }.distinct().all(reader)
  }

  package func setBlobReference(
    _ hash: ContentHash?, from row: RowID, column: String, in scope: ScopeID
  ) throws {
    guard let hash else {
      try BlobReferenceRecord.find(key: scope, row.table, row.id, column).delete(writer)
      return
    }
    try BlobReferenceRecord(
      scope: scope, tableName: row.table, id: row.id, column: column, hash: hash
    ).save(writer)
  }

  package func resetBlobs(ofKind kind: String, unusedSince time: Int64?) throws {
    let range = ScopeRecord.range(ofKind: kind)
    let ofKind: SQL = "scope > \(range.lowerBound) AND scope < \(range.upperBound)"
    try SQL("DELETE FROM blob_reference WHERE \(ofKind)").run(writer)
    try SQL("UPDATE blob SET unused = \(time) WHERE \(ofKind)").run(writer)
  }

  package func scopes(ofKind kind: String, after last: ScopeID?, limit: Int) throws -> [ScopeID] {
    let range = ScopeRecord.range(ofKind: kind)
    return try SQL(
      """
      SELECT id FROM scope WHERE id > \(last?.text ?? range.lowerBound) AND id < \(range.upperBound)
      ORDER BY id LIMIT \(limit)
      """
    ).all(reader, as: String.self).map { try ScopeID($0) }
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
