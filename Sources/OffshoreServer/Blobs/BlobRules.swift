import OffshoreHTTP
package import OffshoreWire

/// The rules for reading and storing blobs.
///
/// An account may store blobs in scopes that it may write to, and read blobs of scopes that it may
/// read. A hash alone gives no access: to store a content in another scope, a client has to send
/// all of it.
package struct BlobRules: Sendable {
  let limits: BlobLimits
  private let manifest: Manifest

  /// Creates the rules for the scopes of a manifest.
  package init(_ limits: BlobLimits, _ manifest: Manifest) {
    (self.limits, self.manifest) = (limits, manifest)
  }

  /// Returns whether an account may read a blob, because it may read a scope that has it.
  /// - Throws: any error of the storage.
  package func canRead(
    _ hash: ContentHash, _ account: AccountID, from transaction: some StorageTransaction
  ) throws -> Bool {
    try transaction.blobs(hash).contains {
      try transaction.grant(of: account, in: $0.scope)?.role.canRead == true
    }
  }

  /// Checks that an account may store blobs in a scope.
  /// - Returns: the role of the account.
  /// - Throws: `ResourceError`: 404 if the account may not read the scope, 403 if it is a viewer;
  ///   any error of the storage.
  @discardableResult
  private func checkWriter(
    _ account: AccountID, of scope: ScopeID, _ transaction: some StorageTransaction
  ) throws -> Role {
    guard let role = try transaction.grant(of: account, in: scope)?.role, role.canRead else {
      throw ResourceError.notFound
    }
    guard role.canWrite else { throw ResourceError.forbidden }
    return role
  }

  /// Reserves room for a blob that is about to be sent.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Returns: whether the scope has the blob already, so that the upload ends. If it is unused, it
  ///   stays as long as a new one.
  /// - Throws: `ResourceError`: as ``checkWriter(_:of:_:)``, 413 if the blob is too large, 507 if
  ///   the scope or the account has no room left, or the account has too many uploads; any error of
  ///   the storage.
  package func reserve(
    _ upload: BlobUpload, in scope: ScopeID, at now: Int64,
    on transaction: inout some StorageTransaction
  ) throws -> Bool {
    try checkWriter(upload.account, of: scope, transaction)
    if try renew(upload.hash, in: scope, at: now, on: &transaction) {
      try transaction.removeUpload(upload.hash, of: upload.account)
      return true
    }
    guard upload.byteCount <= limits.bytesPerBlob else {
      throw ResourceError(
        .contentTooLarge, "tooLarge", "A blob has \(limits.bytesPerBlob) bytes at the most.")
    }
    try checkRoom(for: upload, in: scope, transaction)
    try transaction.setUpload(try reserved(upload, transaction))
    return false
  }

  /// Checks that a scope has room for a blob.
  private func checkRoom(
    for upload: BlobUpload, in scope: ScopeID, _ transaction: some StorageTransaction
  ) throws {
    // NB: As below, the subtraction cannot overflow.
    let used = try transaction.blobBytes(in: scope)
    guard upload.byteCount <= limits.bytesPerScope - used else {
      throw ResourceError(
        Self.insufficientStorage, "quotaExceeded",
        """
        There is no more room for blobs here: all of them have \(limits.bytesPerScope) bytes at the \
        most. Delete what is not needed, or ask the operator of the server for more.
        """)
    }
  }

  private static let insufficientStorage = Response.Status(rawValue: 507)

  /// Returns the upload to store, if the account has room for it.
  ///
  /// Its size is at least the size announced before, because that much may have arrived.
  private func reserved(_ upload: BlobUpload, _ transaction: some StorageTransaction) throws
    -> BlobUpload
  {
    let uploads = try transaction.uploads(of: upload.account)
    let others = uploads.filter { $0.hash != upload.hash }
    let before = uploads.first { $0.hash == upload.hash }?.byteCount ?? 0
    let bytes = max(before, upload.byteCount)
    // NB: A subtraction cannot overflow, however large the limits are.
    let used = try transaction.blobBytes(of: upload.account)
    let room = others.reduce(limits.bytesPerAccount - used) { $0 - $1.byteCount }
    guard bytes <= room, others.count < limits.uploads else {
      throw ResourceError(
        Self.insufficientStorage, "quotaExceeded",
        "The account's room for blobs is used up. Finish some, or delete some first.")
    }
    return BlobUpload(
      hash: upload.hash, account: upload.account, byteCount: bytes, expires: upload.expires)
  }

  /// Adds a blob that has arrived to its scope, and removes the upload.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Throws: `ResourceError`: as ``checkWriter(_:of:_:)``, 507 if other blobs have taken the room of
  ///   the scope meanwhile; any error of the storage.
  package func complete(
    _ upload: BlobUpload, in scope: ScopeID, at now: Int64,
    on transaction: inout some StorageTransaction
  ) throws {
    try transaction.removeUpload(upload.hash, of: upload.account)
    try checkWriter(upload.account, of: scope, transaction)
    guard try !renew(upload.hash, in: scope, at: now, on: &transaction) else { return }
    try checkRoom(for: upload, in: scope, transaction)
    let isUsed = try transaction.isUsed(upload.hash, in: scope)
    try transaction.addBlob(
      StoredBlob(
        hash: upload.hash, scope: scope, account: upload.account, byteCount: upload.byteCount,
        unused: isUsed || !manifest.hasFiles(inKind: scope.kind) ? nil : now))
  }

  /// Removes a blob from a scope. Rows that refer to it stay as they are.
  /// - Throws: `ResourceError`: as ``checkWriter(_:of:_:)``, 404 if the scope does not have the blob, 403
  ///   if the account may not write a row that refers to it; any error of the storage.
  func remove(
    _ hash: ContentHash, from scope: ScopeID, by account: AccountID,
    on transaction: inout some StorageTransaction
  ) throws {
    let role = try checkWriter(account, of: scope, transaction)
    guard try transaction.blobs(hash).contains(where: { $0.scope == scope }) else {
      throw ResourceError.notFound
    }
    let tables = manifest.tables.filter {
      $0.scopeKind == scope.kind && $0.writers != .members && !$0.fileColumns.isEmpty
    }
    let writer = WireValue(account.description)
    for table in tables {
      let ids = try transaction.rows(of: table.name, referringTo: hash, in: scope)
      let areOwn = try ids.allSatisfy { id in
        let row = try transaction.row(RowID(table: table.name, id: id), in: scope)
        return table.writers.include(writer, role, of: row?.state.fields ?? [:])
      }
      guard areOwn else { throw Self.isOfOthers(table) }
    }
    try transaction.removeBlob(hash, from: scope)
  }

  private static func isOfOthers(_ table: SyncedTable) -> ResourceError {
    ResourceError(
      .forbidden, "forbidden",
      table.writers == .owners
        ? "A row that only owners may write refers to the blob. Ask an owner to remove it."
        : "A row that only its author may write refers to the blob. Ask the author to remove it.")
  }

  /// Renews the time of a blob that is unused, so that a row on its way still finds it.
  /// - Returns: whether the scope has the blob.
  private func renew(
    _ hash: ContentHash, in scope: ScopeID, at now: Int64,
    on transaction: inout some StorageTransaction
  ) throws -> Bool {
    guard let blob = try transaction.blobs(hash).first(where: { $0.scope == scope }) else {
      return false
    }
    if blob.unused != nil { try transaction.setUnused(now, hash, in: scope) }
    return true
  }
}

/// A blob in a scope. The same content is stored once for all scopes.
package struct StoredBlob: Hashable, Sendable {
  /// The hash that identifies the content.
  package let hash: ContentHash
  /// The scope, whose members may read the blob.
  package let scope: ScopeID
  /// The account that sent the blob to the scope, and whose quota it counts against.
  package let account: AccountID
  /// The size of the blob in bytes.
  package let byteCount: Int64
  /// The time since which no row of the scope refers to the blob, in milliseconds since 1970. `nil` if
  /// one does, or if no table of the kind of scope has file columns.
  package var unused: Int64?

  /// Creates an entry of a blob.
  package init(
    hash: ContentHash, scope: ScopeID, account: AccountID, byteCount: Int64, unused: Int64? = nil
  ) {
    self.hash = hash
    self.scope = scope
    self.account = account
    self.byteCount = byteCount
    self.unused = unused
  }
}

/// An unfinished upload of a blob.
package struct BlobUpload: Hashable, Sendable {
  /// The announced hash of the content.
  package let hash: ContentHash
  /// The account that sends the blob.
  package let account: AccountID
  /// The announced size of the blob in bytes, all of which count against the quota from the start.
  package let byteCount: Int64
  /// The time at which the upload expires, in milliseconds since 1970.
  package let expires: Int64

  /// Creates an upload.
  package init(hash: ContentHash, account: AccountID, byteCount: Int64, expires: Int64) {
    self.hash = hash
    self.account = account
    self.byteCount = byteCount
    self.expires = expires
  }
}
