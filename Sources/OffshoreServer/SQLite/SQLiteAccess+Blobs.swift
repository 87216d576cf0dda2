import Foundation
public import Offshore
public import OffshoreWire

extension SQLiteAccess: BlobReader {
  public func blobs(_ hash: ContentHash) throws -> [StoredBlob] {
    try SQL("SELECT scope, account, bytes FROM blob WHERE hash = \(hash.data) ORDER BY scope")
      .all(access, as: String.self, Data.self, Int64.self)
      .map { scope, account, bytes in
        StoredBlob(
          hash: hash, scope: try ScopeID(scope), account: try AccountID(data: account),
          byteCount: bytes)
      }
  }

  public func blobBytes(of account: AccountID) throws -> Int64 {
    try SQL("SELECT coalesce(sum(bytes), 0) FROM blob WHERE account = \(account.data)")
      .first(access, as: Int64.self) ?? 0
  }

  public func uploads(of account: AccountID) throws -> [BlobUpload] {
    try uploads("account = \(account.data) ORDER BY hash")
  }

  public func uploads(expiredBy now: Int64) throws -> [BlobUpload] {
    try uploads("expires <= \(now) ORDER BY expires")
  }

  private func uploads(_ condition: SQL) throws -> [BlobUpload] {
    try uploads(from: "SELECT hash, account, bytes, expires FROM upload WHERE \(condition)")
  }

  fileprivate func uploads(from statement: SQL) throws -> [BlobUpload] {
    try statement.all(access, as: Data.self, Data.self, Int64.self, Int64.self)
      .map { hash, account, bytes, expires in
        BlobUpload(
          hash: try ContentHash(bytes: Array(hash)), account: try AccountID(data: account),
          byteCount: bytes, expires: expires)
      }
  }
}

extension SQLiteAccess: BlobWriter where Access == Writer {
  public func addBlob(_ blob: StoredBlob) throws {
    try SQL(
      """
      INSERT INTO blob(hash, scope, account, bytes) VALUES (\(blob.hash.data),
        \(blob.scope.text), \(blob.account.data), \(blob.byteCount))
      """
    ).run(access)
  }

  public func removeBlob(_ hash: ContentHash, from scope: ScopeID) throws {
    try SQL("DELETE FROM blob WHERE hash = \(hash.data) AND scope = \(scope.text)").run(access)
  }

  public func setUpload(_ upload: BlobUpload) throws {
    try SQL(
      """
      INSERT OR REPLACE INTO upload(account, hash, bytes, expires) VALUES (\(upload.account.data),
        \(upload.hash.data), \(upload.byteCount), \(upload.expires))
      """
    ).run(access)
  }

  public func removeUploads(expiredBy now: Int64) throws -> [BlobUpload] {
    try uploads(
      from: "DELETE FROM upload WHERE expires <= \(now) RETURNING hash, account, bytes, expires"
    ).sorted { $0.expires < $1.expires }
  }

  public func removeUpload(_ hash: ContentHash, of account: AccountID) throws {
    try SQL(
      "DELETE FROM upload WHERE account = \(account.data) AND hash = \(hash.data)"
    ).run(access)
  }
}
