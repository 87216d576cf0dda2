import Foundation

/// Bytes that do not change while the app runs, such as a style sheet, for a client to keep.
///
/// ```swift
/// let styles = StaticFile(bytes, contentType: "text/css; charset=utf-8")
/// router.get("look.css") { styles.response(to: $0) }
/// ```
public struct StaticFile: Sendable {
  /// What the file contains.
  public let bytes: [UInt8]
  /// The media type.
  public let contentType: String
  /// How long a client may use its copy without asking.
  public let cacheControl: String
  /// Digits and letters that differ where contents do, for a name that changes with the content.
  public let fingerprint: String
  /// A mark of the content (<https://www.rfc-editor.org/rfc/rfc9110#name-etag>).
  public var entityTag: String { "\"\(fingerprint)\"" }

  /// Serves bytes; unless told otherwise a client asks each time whether its copy is current.
  public init(_ bytes: [UInt8], contentType: String, cacheControl: String = "no-cache") {
    self.bytes = bytes
    self.contentType = contentType
    self.cacheControl = cacheControl
    fingerprint = "\(String(Self.digest(bytes), radix: 36))\(String(bytes.count, radix: 36))"
  }

  /// Reads a file once.
  ///
  /// - Throws: What Foundation throws where the file cannot be read.
  public init(
    contentsOf path: String, contentType: String, cacheControl: String = "no-cache"
  ) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    self.init(Array(data), contentType: contentType, cacheControl: cacheControl)
  }

  /// The bytes, or 304 where the client says that it has them.
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

  /// FNV-1a of 64 bits: it tells contents apart but is no protection against forgery.
  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
