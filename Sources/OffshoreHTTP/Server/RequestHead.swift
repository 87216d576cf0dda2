import CMicroHTTPD

/// A request line with headers, checked for contents that other programs could interpret
/// differently.
///
/// The library is lenient; a proxy in front of it may not be. If two programs disagree about the
/// end of a request, bytes of one client become another's request
/// (<https://www.rfc-editor.org/rfc/rfc9112#name-request-smuggling>).
struct RequestHead {
  let request: Request
  /// The announced bytes of the body, or `nil` if it is sent in chunks.
  let contentLength: Int?

  /// Whether the client waits for permission to send the body
  /// (<https://www.rfc-editor.org/rfc/rfc9110#name-expect>).
  var expectsContinue: Bool { request.headers["Expect"] != nil }

  /// Checks a request line with its headers.
  ///
  /// - Throws: ``HTTPError`` with 400, 414, 431, or 505.
  init(
    method: String, target: String, version: String, headers: Headers, headerSize: Int,
    remoteAddress: String, configuration: HTTPServer.Configuration
  ) throws {
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw HTTPError(.versionNotSupported)
    }
    guard target.utf8.count <= configuration.maximumTargetLength else {
      throw HTTPError(.uriTooLong)
    }
    guard headerSize <= configuration.maximumHeaderSize else { throw HTTPError(.headersTooLarge) }
    guard Headers.isToken(method), target.utf8.first == UInt8(ascii: "/"),
      target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), headers.fields.allSatisfy(Self.isValid),
      Self.hasValidHost(headers, version)
    else { throw HTTPError(.badRequest) }
    contentLength = try Self.contentLength(headers, version)
    request = Request(
      Request.Method(rawValue: method), target, headers: headers, remoteAddress: remoteAddress)
  }

  private static func contentLength(_ headers: Headers, _ version: String) throws -> Int? {
    let lengths = headers.all("Content-Length")
    let codings = headers.all("Transfer-Encoding")
    if let coding = codings.first {
      let isChunked = coding.lowercased() == "chunked"
      guard lengths.isEmpty, codings.count == 1, isChunked, version == "HTTP/1.1" else {
        throw HTTPError(.badRequest)
      }
      return nil
    }
    guard let text = lengths.first else { return 0 }
    guard lengths.count == 1, text.utf8.allSatisfy(ASCII.isDigit), let length = Int(text) else {
      throw HTTPError(.badRequest)
    }
    return length
  }

  private static func isValid(_ field: (name: String, value: String)) -> Bool {
    Headers.isToken(field.name)
      && field.value.utf8.allSatisfy { !ASCII.isControl($0) || $0 == UInt8(ascii: "\t") }
  }

  /// Returns whether there is exactly one valid host, or none in HTTP/1.0.
  private static func hasValidHost(_ headers: Headers, _ version: String) -> Bool {
    let hosts = headers.all("Host")
    guard let host = hosts.first else { return version == "HTTP/1.0" }
    return hosts.count == 1 && !host.isEmpty
      && host.utf8.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || ".-_~:[]%".utf8.contains(byte)
      }
  }
}

extension Headers {
  /// Creates the headers of a request as the library parsed them.
  init(of connection: OpaquePointer) {
    self.init()
    reserve(16)
    withUnsafeMutablePointer(to: &self) { pointer in
      _ = MHD_get_connection_values_n(connection, .HEADER_KIND, appendField, pointer)
    }
  }
}

private func appendField(
  headers: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?,
  nameCount: Int, value: UnsafePointer<CChar>?, valueCount: Int
) -> MHD_Result {
  headers?.assumingMemoryBound(to: Headers.self).pointee
    .appendReceived(text(name, nameCount), text(value, valueCount))
  return .YES
}

private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
  String(
    decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
}
