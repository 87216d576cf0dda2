import OffshoreHTTP

extension Operation {
  private static let hash = Parameter.path(
    "hash", "The BLAKE2b-256 hash of the content, as 64 small hexadecimal digits.")
  private static let scope = Parameter.query(
    "scope", "The scope that has the blob, as kind/value.", isRequired: true)
  private static let bytes: JSONNode = ["type": "integer", "minimum": 0]
  private static let offset = ["Upload-Offset": "How many bytes have arrived."]
  private static let tag = ["ETag": "The validator of the content."]

  private static let address = tag.merging(["Location": "Its address."]) { $1 }

  /// The operations on blobs.
  static let blobs = [
    Operation(
      method: .get, pattern: "v1/blobs/:hash", summary: "Tells a blob, or a part of it.",
      parameters: [
        hash, .header("Range", "The part, as bytes=first-last."),
        .header("If-Range", "The ETag of what the client has a part of."),
        .header("If-None-Match", "The ETag of the copy that the client has."),
      ],
      answers: [
        Answer(200, "The content.", .bytes, headers: tag),
        Answer(
          206, "The part.", .bytes,
          headers: tag.merging(["Content-Range": "Which part it is."]) { $1 }),
        Answer(304, "The client's copy is current.", headers: tag),
        .problem(
          404, "There is no such blob, it is not complete, or it may not be read.", headers: offset),
        .problem(
          416, "Nothing of the part is there.", headers: ["Content-Range": "How long the blob is."]),
      ]),
    Operation(
      method: .put, pattern: "v1/blobs/:hash",
      summary: "Sends a blob to a scope, or a part of one.",
      parameters: [
        hash, scope,
        .header("Upload-Offset", "How many bytes come before the body.", bytes),
        .header("Upload-Length", "How many bytes the blob has; needed with an offset.", bytes),
      ], body: .bytes,
      answers: [
        Answer(200, "The scope has the blob already.", headers: address),
        Answer(
          201, "The blob is stored.", headers: address),
        Answer(202, "The part is stored.", headers: offset),
        .problem(403, "The account may not write here."),
        .problem(404, "There is no such scope, or it may not be read."),
        .problem(409, "The part is not the next one.", headers: offset),
        .problem(422, "The content has another hash."),
        .problem(507, "The account's room for blobs is used up."),
      ]),
    Operation(
      method: .delete, pattern: "v1/blobs/:hash", summary: "Takes a blob out of a scope.",
      parameters: [hash, scope],
      answers: [
        Answer(204, "The scope does not have it any more."),
        .problem(403, "The account may not write here."),
        .problem(404, "The scope has no such blob, or may not be read."),
        .problem(413, "There is a body."),
      ]),
  ]
}
