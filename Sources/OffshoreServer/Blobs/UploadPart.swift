import OffshoreHTTP

/// The part of a blob in the body of a request.
struct UploadPart: Hashable {
  /// The number of bytes before the part.
  let offset: Int
  /// The size of the whole blob in bytes.
  let length: Int

  /// Parses `Upload-Offset` and `Upload-Length`. Without either, the body is the whole blob.
  /// - Throws: `ResourceError` with the code `malformed` if a value is not a number of bytes, if
  ///   the length is missing, or if the body extends beyond it.
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
