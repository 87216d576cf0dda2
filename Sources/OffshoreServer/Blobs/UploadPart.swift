import OffshoreHTTP

/// Which part of a blob the body of a request is.
struct UploadPart: Hashable {
  /// How many bytes come before it.
  let offset: Int
  /// How many bytes the blob has.
  let length: Int

  /// Reads `Upload-Offset` and `Upload-Length`. Without either the body is the whole blob.
  /// - Throws: `ResourceError` with the code `malformed`.
  init(_ request: Request) throws(ResourceError) {
    let offset = try Self.number("Upload-Offset", in: request)
    let length = try Self.number("Upload-Length", in: request)
    guard offset == nil || length != nil else {
      throw .malformed("Send the blob's length with each of its parts.", field: "Upload-Length")
    }
    self.offset = offset ?? 0
    let end = self.offset + request.body.count
    self.length = length ?? end
    guard end <= self.length else {
      throw .malformed("The body goes beyond the Upload-Length.", field: "Upload-Length")
    }
  }

  private static func number(
    _ name: String, in request: Request
  ) throws(ResourceError) -> Int? {
    guard let text = request.headers[name] else { return nil }
    guard let number = Int(text), 0...1 << 53 ~= number else {
      throw .malformed("\(name) is a number of bytes.", field: name)
    }
    return number
  }
}
