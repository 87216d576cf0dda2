import Foundation
import OffshoreHTTP
import OffshoreWire

/// Routes for blobs, to which rows refer by the hash of their content.
extension SyncServer {
  func addBlobs(to router: inout Router) {
    guard let blobs else { return }
    let rules = BlobRules(limits: blobs.limits)
    router.get("v1/blobs/:hash") { try await blob($0, blobs, rules) }
    router.on(.put, "v1/blobs/:hash", bodyLimit: BlobStore.partBytes) {
      try await putBlob($0, blobs, rules)
    }
    router.on(.delete, "v1/blobs/:hash", bodyLimit: 0) {
      try await deleteBlob($0, blobs, rules)
    }
  }

  // MARK: - Reading

  private func blob(
    _ request: Request, _ blobs: BlobStore, _ rules: BlobRules
  ) async throws -> Response {
    let account = try await authenticate(request).account
    let hash = try Self.hash(request)
    let canRead = try await log.read { try rules.canRead(hash, account, from: $0) }
    guard canRead, let content = try blobs.content(hash) else {
      throw try await missing(hash, account, blobs)
    }
    return Self.response(content, EntityTag(hash), to: request)
  }

  /// Creates the error for a blob that is missing, with the number of bytes that have arrived so
  /// far.
  private func missing(
    _ hash: ContentHash, _ account: AccountID, _ blobs: BlobStore
  ) async throws -> ResourceError {
    var error = ResourceError.notFound
    error.uploadOffset = try await blobs.received(hash, from: account)
    return error
  }

  private static func response(
    _ content: FileSlice, _ tag: EntityTag, to request: Request
  ) -> Response {
    var headers: Headers = [
      "ETag": tag.text, "Cache-Control": "private, no-cache", "Accept-Ranges": "bytes",
    ]
    if Preconditions(request.headers).isKnown(tag) {
      return Response(.notModified, headers: headers)
    }
    headers["Content-Type"] = "application/octet-stream"
    // A browser that follows a link to a blob must not run its content.
    headers["Content-Disposition"] = "attachment"
    headers["X-Content-Type-Options"] = "nosniff"
    let condition = request.headers["If-Range"]
    let range = condition == nil || condition == tag.text ? request.headers["Range"] : nil
    switch ByteRange(range, of: content.count) {
    case .whole: return Response(.ok, headers: headers, body: .file(content))
    case .part(let part):
      headers["Content-Range"] =
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.count)"
      return Response(
        Response.Status(rawValue: 206), headers: headers, body: .file(content[part]))
    case .unsatisfiable:
      var response = ServerProblem(
        ResourceError(
          Response.Status(rawValue: 416), "unsatisfiableRange",
          "The blob has \(content.count) bytes. Ask for some of those.")
      ).response
      response.headers["Content-Range"] = "bytes */\(content.count)"
      return response
    }
  }

  // MARK: - Writing

  private func putBlob(
    _ request: Request, _ blobs: BlobStore, _ rules: BlobRules
  ) async throws -> Response {
    let account = try await authenticate(request).account
    let (scope, now) = (try Self.blobScope(request), clock())
    let part = try UploadPart(request)
    let upload = BlobUpload(
      hash: try Self.hash(request), account: account, byteCount: Int64(part.length),
      expires: now + blobs.limits.uploadLifetime)
    try await forgetExpired(at: now, blobs)
    let isThere = try await log.write { try rules.reserve(upload, in: scope, log: &$0) }
    if isThere, try blobs.content(upload.hash) != nil { return Self.stored(upload.hash, .ok) }
    let before = try await blobs.append(
      request.body, at: part.offset, of: upload.hash, from: account)
    guard before == part.offset else { throw ResourceError.wrongOffset(before) }
    let received = before + request.body.count
    guard received == part.length else { return Self.accepted(received) }
    try await blobs.together { try await finish(upload, in: scope, blobs, rules) }
    return Self.stored(upload.hash, .created)
  }

  /// Adds a complete upload to a scope, or discards it. Must run in ``BlobStore/together(_:)``.
  /// - Throws: `ResourceError` with 422 if the content has another hash; the errors of
  ///   ``BlobRules/complete(_:in:log:)``.
  func finish(
    _ upload: BlobUpload, in scope: ScopeID, _ blobs: BlobStore, _ rules: BlobRules
  ) async throws {
    guard try await blobs.finish(upload.hash, from: upload.account) else {
      try await log.write { try $0.removeUpload(upload.hash, of: upload.account) }
      throw ResourceError(
        .unprocessableContent, "wrongHash",
        "The content has another hash than the address. Send it again from the first byte.")
    }
    do {
      try await log.write { try rules.complete(upload, in: scope, log: &$0) }
    } catch {
      try await log.write { try $0.removeUpload(upload.hash, of: upload.account) }
      try await removeUnused(upload.hash, blobs)
      throw error
    }
  }

  private func forgetExpired(at now: Int64, _ blobs: BlobStore) async throws {
    guard try await !log.read({ try $0.uploads(expiredBy: now) }).isEmpty else { return }
    // NB: The write reads the uploads again, because some may have been renewed since.
    let expired = try await log.write { try $0.removeUploads(expiredBy: now) }
    for upload in expired { await blobs.discard(upload.hash, from: upload.account) }
  }

  /// Removes a blob from a scope, so that it does not count against its sender's quota any more.
  private func deleteBlob(
    _ request: Request, _ blobs: BlobStore, _ rules: BlobRules
  ) async throws -> Response {
    let account = try await authenticate(request).account
    let (hash, scope) = (try Self.hash(request), try Self.blobScope(request))
    try await blobs.together {
      try await log.write { log in
        try rules.checkWriter(account, of: scope, log)
        guard try log.blobs(hash).contains(where: { $0.scope == scope }) else {
          throw ResourceError.notFound
        }
        try log.removeBlob(hash, from: scope)
      }
      try await removeUnused(hash, blobs)
    }
    return .noContent
  }

  /// Deletes the content of a blob that no scope has. Must run in ``BlobStore/together(_:)``.
  private func removeUnused(_ hash: ContentHash, _ blobs: BlobStore) async throws {
    guard try await log.read({ try $0.blobs(hash) }).isEmpty else { return }
    try await blobs.remove(hash)
  }

  // MARK: - Answers

  private static func stored(_ hash: ContentHash, _ status: Response.Status) -> Response {
    Response(status, headers: ["ETag": EntityTag(hash).text, "Location": "/v1/blobs/\(hash)"])
  }

  private static func accepted(_ received: Int) -> Response {
    Response(Response.Status(rawValue: 202), headers: ["Upload-Offset": "\(received)"])
  }

  // MARK: - Parameters

  private static func hash(_ request: Request) throws -> ContentHash {
    let text: String = try request.parameter("hash")
    guard let hash = ContentHash(hexadecimal: text) else {
      throw ResourceError.malformed(
        "A blob is named by the BLAKE2b-256 hash of its content, as 64 small hexadecimal digits.")
    }
    return hash
  }

  private static func blobScope(_ request: Request) throws -> ScopeID {
    guard let text = request.query["scope"] else {
      throw ResourceError.malformed("Name the scope, as ?scope=kind/value.", field: "scope")
    }
    return try RowBody.scope(text)
  }
}
