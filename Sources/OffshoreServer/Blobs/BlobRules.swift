import OffshoreHTTP
import OffshoreWire

/// The rules for reading and storing blobs.
///
/// An account may store blobs in scopes that it may write to, and read blobs of scopes that it may
/// read. A hash alone gives no access: to store a content in another scope, a client has to send
/// all of it.
struct BlobRules: Sendable {
  let limits: BlobStore.Limits

  /// Returns whether an account may read a blob, because it may read a scope that has it.
  /// - Throws: any error of the log.
  func canRead(
    _ hash: ContentHash, _ account: AccountID, from log: some BlobReader & ChangeLogReader
  ) throws -> Bool {
    try log.blobs(hash).contains {
      try log.grant(of: account, in: $0.scope)?.role.canRead == true
    }
  }

  /// Checks that an account may store blobs in a scope.
  /// - Throws: `ResourceError`: 404 if the account may not read the scope, 403 if it is a viewer;
  ///   any error of the log.
  func checkWriter(
    _ account: AccountID, of scope: ScopeID, _ log: some ChangeLogReader
  ) throws {
    guard let role = try log.grant(of: account, in: scope)?.role, role.canRead else {
      throw ResourceError.notFound
    }
    guard role.canWrite else { throw ResourceError.forbidden }
  }

  /// Reserves room for a blob that is about to be sent.
  /// - Returns: whether the scope has the blob already.
  /// - Throws: `ResourceError`: as ``checkWriter(_:of:_:)``, 413 if the blob is too large, 507 if
  ///   the account has no room left or too many uploads; any error of the log.
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

  /// Returns the upload to store, if the account has room for it.
  ///
  /// Its size is at least the size announced before, because that much may have arrived.
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

  /// Adds a blob that has arrived to its scope, and removes the upload.
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
