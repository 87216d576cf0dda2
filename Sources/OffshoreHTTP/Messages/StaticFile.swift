import Foundation

/// Content that does not change while the app runs, such as a style sheet, and that clients may
/// cache.
///
/// ```swift
/// let styles = StaticFile(bytes, contentType: "text/css; charset=utf-8")
/// router.get("look.css") { styles.response(to: $0) }
/// ```
public struct StaticFile: Sendable {
  /// The content.
  package let bytes: [UInt8]
  /// The media type.
  let contentType: String
  /// The `Cache-Control` field, which limits the time for which a client may use its copy
  /// unchecked.
  let cacheControl: String
  /// Digits and letters that change with the content, for example for use in its address.
  package let fingerprint: String
  /// The entity tag of the content (<https://www.rfc-editor.org/rfc/rfc9110#name-etag>).
  package var entityTag: String { "\"\(fingerprint)\"" }

  /// Creates a file. By default, a client checks at each use whether its copy is current.
  public init(_ bytes: [UInt8], contentType: String, cacheControl: String = "no-cache") {
    self.bytes = bytes
    self.contentType = contentType
    self.cacheControl = cacheControl
    fingerprint = "\(String(Self.digest(bytes), radix: 36))\(String(bytes.count, radix: 36))"
  }

  /// Loads a file once.
  ///
  /// - Throws: an error of Foundation if the file cannot be read.
  package init(
    contentsOf path: String, contentType: String, cacheControl: String = "no-cache"
  ) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    self.init(Array(data), contentType: contentType, cacheControl: cacheControl)
  }

  /// Returns the content, or 304 if the client already has it.
  public func response(to request: Request) -> Response {
    let headers: Headers = ["ETag": entityTag, "Cache-Control": cacheControl]
    if isKnown(to: request) { return Response(.notModified, headers: headers) }
    var response = Response(.ok, headers: headers, body: .bytes(bytes))
    response.headers["Content-Type"] = contentType
    return response
  }

  private func isKnown(to request: Request) -> Bool {
    request.headers.list("If-None-Match").contains { tag in
      tag == "*" || tag == entityTag || tag == "W/" + entityTag
    }
  }

  /// Returns the 64-bit FNV-1a hash, which distinguishes contents but does not protect from
  /// forgery.
  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
