import OffshoreHTTP
import OffshoreWire

/// The routes for blobs, to which rows refer by the hash of their content.
struct BlobRoutes: Sendable {
  let server: SyncServer
  let blobs: BlobStore

  private var rules: BlobRules { BlobRules(blobs.limits, server.push.manifest) }

  var routes: [ServerRoute] {
    let blob = "v1/blobs/:hash"
    return [
      ServerRoute(
        .get, blob, "Tells a blob, or a part of it.",
        parameters: [
          Self.hash, .header("Range", "The part, as bytes=first-last."),
          .header("If-Range", "The ETag of what the client has a part of."),
          .header("If-None-Match", "The ETag of the copy that the client has."),
        ],
        answers: [
          .answer(200, "The content.", .bytes, headers: Self.tag),
          .answer(
            206, "The part.", .bytes,
            headers: Self.tag.merging(["Content-Range": "Which part it is."]) { $1 }),
          .answer(304, "The client's copy is current.", headers: Self.tag),
          .problem(
            404, "There is no such blob, it is not complete, or it may not be read.",
            headers: Self.offset),
          .problem(
            416, "Nothing of the part is there.",
            headers: ["Content-Range": "How long the blob is."]),
        ], handler: get),
      ServerRoute(
        .put, blob, "Sends a blob to a scope, or a part of one.",
        parameters: [
          Self.hash, Self.scope,
          .header("Upload-Offset", "How many bytes come before the body.", Self.byteCount),
          .header(
            "Upload-Length", "How many bytes the blob has; needed with an offset.",
            Self.byteCount),
        ], body: .bytes, bodyLimit: BlobStore.partBytes,
        answers: [
          .answer(200, "The scope has the blob already.", headers: Self.address),
          .answer(201, "The blob is stored.", headers: Self.address),
          .answer(202, "The part is stored.", headers: Self.offset),
          .problem(403, "The account may not write here."),
          .problem(404, "There is no such scope, or it may not be read."),
          .problem(409, "The part is not the next one.", headers: Self.offset),
          .problem(422, "The content has another hash."),
          .problem(507, "The room of the account or the scope for blobs is used up."),
        ], handler: put),
      ServerRoute(
        .delete, blob, "Takes a blob out of a scope.", parameters: [Self.hash, Self.scope],
        bodyLimit: 0,
        answers: [
          .answer(204, "The scope does not have it any more."),
          .problem(403, "The account may not write here, or a row that refers to the blob."),
          .problem(404, "The scope has no such blob, or may not be read."),
          .problem(413, "There is a body."),
        ], handler: delete),
    ]
  }

  private static let hash = ServerRoute.Parameter.path(
    "hash", "The BLAKE2b-256 hash of the content, as 64 small hexadecimal digits.")
  private static let scope = ServerRoute.Parameter.query(
    "scope", "The scope that has the blob, as kind/value.", isRequired: true)
  private static let byteCount: JSONNode = ["type": "integer", "minimum": 0]
  private static let offset = ["Upload-Offset": "How many bytes have arrived."]
  private static let tag = ["ETag": "The validator of the content."]
  private static let address = tag.merging(["Location": "Its address."]) { $1 }

  // MARK: - Reading

  private func get(_ request: Request, _ caller: Caller) async throws -> Response {
    let hash = try request.blobHash()
    let canRead = try await server.storage.read { [rules] in
      try rules.canRead(hash, caller.account, from: $0)
    }
    guard canRead, let content = try blobs.content(hash) else {
      // The error has the number of bytes that have arrived so far.
      var error = ResourceError.notFound
      error.uploadOffset = try await blobs.received(hash, from: caller.account)
      throw error
    }
    var response = Self.response(content, EntityTag(hash), to: request)
    if case .file = response.body {
      response.attachment = try server.downloads.occupy(for: caller.account)
    }
    return response
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

  private func put(_ request: Request, _ caller: Caller) async throws -> Response {
    let (hash, scope) = (try request.blobHash(), try request.blobScope())
    let part = try UploadPart(request)
    try await removeExpiredUploads(at: server.clock())
    return try await blobs.receiving(hash, from: caller.account) {
      let now = server.clock()
      let upload = BlobUpload(
        hash: hash, account: caller.account, byteCount: Int64(part.length),
        expires: now + blobs.limits.uploadLifetime)
      return try await receive(request.body, of: part, of: upload, in: scope, at: now)
    }
  }

  /// Stores the bytes of a request, and completes the blob with the last of them. Must run in
  /// ``BlobStore/receiving(_:from:_:)``.
  private func receive(
    _ bytes: [UInt8], of part: UploadPart, of upload: BlobUpload, in scope: ScopeID, at now: Int64
  ) async throws -> Response {
    let isThere = try await server.storage.write { [rules] in
      try rules.reserve(upload, in: scope, at: now, on: &$0)
    }
    if isThere, try blobs.content(upload.hash) != nil {
      // Another account may have completed the blob meanwhile.
      await blobs.discard(upload.hash, from: upload.account)
      return Self.stored(upload.hash, .ok)
    }
    try await add(bytes, of: part, to: upload)
    let received = part.offset + bytes.count
    guard received == part.length else {
      return Response(
        Response.Status(rawValue: 202), headers: ["Upload-Offset": "\(received)"])
    }
    try await blobs.serialized { try await finish(upload, in: scope) }
    return Self.stored(upload.hash, .created)
  }

  /// Stores the bytes of a request.
  ///
  /// NB: A whole blob replaces bytes that have arrived before: their request may have been
  /// interrupted after its last byte, by the end of the server, and its client sends it again.
  /// - Throws: `ResourceError` with the code `wrongOffset` if a part is not the next one.
  private func add(
    _ bytes: [UInt8], of part: UploadPart, to upload: BlobUpload
  ) async throws {
    if part.isWhole {
      return try await blobs.replace(with: bytes, of: upload.hash, from: upload.account)
    }
    let before = try await blobs.append(
      bytes, at: part.offset, of: upload.hash, from: upload.account)
    guard before == part.offset else { throw ResourceError.wrongOffset(before) }
  }

  private static func stored(_ hash: ContentHash, _ status: Response.Status) -> Response {
    Response(status, headers: ["ETag": EntityTag(hash).text, "Location": "/v1/blobs/\(hash)"])
  }

  /// Adds a complete upload to a scope, or discards it. Must run in ``BlobStore/serialized(_:)``.
  /// - Throws: `ResourceError` with 422 if the content has another hash; the errors of
  ///   ``BlobRules/complete(_:in:at:on:)``.
  func finish(_ upload: BlobUpload, in scope: ScopeID) async throws {
    guard try await blobs.finish(upload.hash, from: upload.account) else {
      try await server.storage.write { try $0.removeUpload(upload.hash, of: upload.account) }
      throw ResourceError(
        .unprocessableContent, "wrongHash",
        "The content has another hash than the address. Send it again from the first byte.")
    }
    let now = server.clock()
    do {
      try await server.storage.write { [rules] in
        try rules.complete(upload, in: scope, at: now, on: &$0)
      }
    } catch {
      try await server.storage.write { try $0.removeUpload(upload.hash, of: upload.account) }
      try await blobs.removeUnused(upload.hash, in: server.storage)
      throw error
    }
  }

  private func removeExpiredUploads(at now: Int64) async throws {
    guard try await !server.storage.read({ try $0.uploads(expiredBy: now) }).isEmpty else {
      return
    }
    // NB: The write reads the uploads again, because some may have been renewed since.
    let expired = try await server.storage.write { try $0.removeUploads(expiredBy: now) }
    for upload in expired {
      // After an error, the next sweep deletes the file.
      try? await blobs.discardEnded(upload.hash, from: upload.account, in: server.storage)
    }
  }

  /// Removes a blob from a scope, so that it does not count against its sender's quota any more.
  private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
    let (hash, scope) = (try request.blobHash(), try request.blobScope())
    try await blobs.serialized { [rules] in
      try await server.storage.write {
        try rules.remove(hash, from: scope, by: caller.account, on: &$0)
      }
      try await blobs.removeUnused(hash, in: server.storage)
    }
    return .noContent
  }
}

extension Request {
  fileprivate func blobHash() throws -> ContentHash {
    guard let hash = ContentHash(hexadecimal: try parameter("hash")) else {
      throw ResourceError.malformed(
        "A blob is named by the BLAKE2b-256 hash of its content, as 64 small hexadecimal digits.")
    }
    return hash
  }

  fileprivate func blobScope() throws -> ScopeID {
    guard let text = query["scope"] else {
      throw ResourceError.malformed("Name the scope, as ?scope=kind/value.", field: "scope")
    }
    return try RowBody.scope(text)
  }
}
