import OffshoreHTTP
import OffshoreWire

/// Who may read and store which blobs.
///
/// A blob is sent to a scope by who may write there, and read by who may read there. To know its hash is
/// no right: who sends a content to another scope has to have all of it.
struct BlobRules: Sendable {
  let limits: BlobStore.Limits

  /// Whether an account may read a blob: in any of the scopes that have it.
  /// - Throws: what the log throws.
  func canRead(
    _ hash: ContentHash, _ account: AccountID, from log: some BlobReader & ChangeLogReader
  ) throws -> Bool {
    try log.blobs(hash).contains {
      try log.grant(of: account, in: $0.scope)?.role.canRead == true
    }
  }

  /// Looks at who may store in a scope.
  /// - Throws: `ResourceError`: 404 for a scope that may not be read, 403 for a viewer; what the log
  ///   throws.
  func checkWriter(
    _ account: AccountID, of scope: ScopeID, _ log: some ChangeLogReader
  ) throws {
    guard let role = try log.grant(of: account, in: scope)?.role, role.canRead else {
      throw ResourceError.notFound
    }
    guard role.canWrite else { throw ResourceError.forbidden }
  }

  /// Makes room for a blob that is going to arrive.
  /// - Returns: whether the scope has it already.
  /// - Throws: `ResourceError`: as ``checkWriter(_:of:_:)``, 413 for what is too large, 507 where the
  ///   account's quota is used up; what the log throws.
  func reserve(
    _ upload: BlobUpload, in scope: ScopeID,
    log: inout some BlobWriter & ChangeLogWriter
  ) throws -> Bool {
    try checkWriter(upload.account, of: scope, log)
    if try log.blobs(upload.hash).contains(where: { $0.scope == scope }) { return true }
    guard upload.byteCount <= limits.blobBytes else {
      throw ResourceError(
        .contentTooLarge, "tooLarge", "A blob has \(limits.blobBytes) bytes at the most.")
    }
    try log.setUpload(try reserved(upload, log))
    return false
  }

  /// What is noted of an upload, where there is room for it.
  ///
  /// It never takes less than was announced before: that much may have arrived.
  private func reserved(_ upload: BlobUpload, _ log: some BlobReader) throws -> BlobUpload {
    let uploads = try log.uploads(of: upload.account)
    let others = uploads.filter { $0.hash != upload.hash }
    let before = uploads.first { $0.hash == upload.hash }?.byteCount ?? 0
    let bytes = max(before, upload.byteCount)
    let total = try log.blobBytes(of: upload.account) + others.reduce(bytes) { $0 + $1.byteCount }
    guard total <= limits.accountBytes, others.count < limits.uploads else {
      throw ResourceError(
        Response.Status(rawValue: 507), "quotaExceeded",
        "The account's room for blobs is used up. Finish some, or delete some first.")
    }
    return BlobUpload(
      hash: upload.hash, account: upload.account, byteCount: bytes, expires: upload.expires)
  }

  /// Notes that a blob has arrived.
  /// - Throws: as ``checkWriter(_:of:_:)``.
  func complete(
    _ upload: BlobUpload, in scope: ScopeID,
    log: inout some BlobWriter & ChangeLogWriter
  ) throws {
    try log.removeUpload(upload.hash, of: upload.account)
    try checkWriter(upload.account, of: scope, log)
    guard try !log.blobs(upload.hash).contains(where: { $0.scope == scope }) else { return }
    try log.addBlob(
      StoredBlob(
        hash: upload.hash, scope: scope, account: upload.account, byteCount: upload.byteCount))
  }
}
