public import Foundation

/// The response of a server: a status, headers, and a body.
public struct Response: Sendable {
  /// The content after the headers.
  public enum Body: Sendable {
    /// Bytes in memory. The server sends their length.
    case bytes([UInt8])
    /// A part of a file, which is sent without loading it into memory.
    case file(FileSlice)
    /// Events as they occur, until the channel closes or the client disconnects.
    case events(EventChannel)
  }

  /// The status code.
  public var status: Status
  /// The header fields. The server adds date, length, and connection.
  public var headers: Headers
  /// The content after the headers. The server leaves it out if the request was `HEAD`.
  public var body: Body
  /// A value that the server releases when the response was sent, or cannot be sent any more.
  package var attachment: (any Sendable)?

  /// Creates a response, by default without a body.
  public init(_ status: Status, headers: Headers = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The bytes of the body, for tests; empty for a stream of events.
  ///
  /// NB: This reads a whole file. ``byteCount`` returns its size without reading it.
  public var bytes: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .file(let slice): slice.bytes
    case .events: []
    }
  }

  /// The number of bytes of the body; 0 for a stream of events.
  public var byteCount: Int {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(let slice): slice.count
    case .events: 0
    }
  }

  /// The number of bytes of the body that are in memory: all, except those of a file.
  var heldByteCount: Int { if case .bytes(let bytes) = body { bytes.count } else { 0 } }

  /// The body as text, for tests.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds a `Set-Cookie` field.
  public mutating func setCookie(_ cookie: Cookie) {
    headers.add("Set-Cookie", cookie.headerValue)
  }
}

extension Response {
  /// Creates a response with a page.
  public static func html(_ markup: String, status: Status = .ok) -> Response {
    html(Array(markup.utf8), status: status)
  }

  /// Creates a response with a page that is encoded in UTF-8.
  public static func html(_ markup: [UInt8], status: Status = .ok) -> Response {
    Response(status, headers: ["Content-Type": "text/html; charset=utf-8"], body: .bytes(markup))
  }

  /// Creates a response with plain text.
  public static func text(_ text: String, status: Status = .ok) -> Response {
    Response(
      status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8))
    )
  }

  /// Creates a response with a value as JSON.
  ///
  /// - Throws: the errors of the encoder.
  public static func json(
    _ value: some Encodable, status: Status = .ok, encoder: JSONEncoder = JSONEncoder()
  ) throws -> Response {
    Response(
      status, headers: ["Content-Type": "application/json"],
      body: .bytes(Array(try encoder.encode(value))))
  }

  /// Creates a redirect to a page, for example after a form was posted (303).
  public static func redirect(to location: String) -> Response {
    Response(.seeOther, headers: ["Location": location])
  }

  /// A response without content, for a request that succeeded (204).
  public static var noContent: Response { Response(.noContent) }

  /// Creates a response with a stream of events
  /// (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
  public static func events(_ channel: EventChannel) -> Response {
    Response(
      .ok, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
      body: .events(channel))
  }
}

extension Response {
  /// The encoded response, with the end of the connection, to be sent without the library.
  ///
  /// A body that is not in memory is left out, because the server does not wait until it is sent.
  var serialized: [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \r\nConnection: close\r\n"
    for (name, value) in headers.fields where Headers.isToken(name) && !Headers.isSetByServer(name)
    {
      text += "\(name): \(value)\r\n"
    }
    let content: [UInt8] = if case .bytes(let bytes) = body { bytes } else { [] }
    return Array("\(text)Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }

  /// Disconnects the channel of a stream of events, which will not be read.
  func disconnect() { if case .events(let channel) = body { channel.disconnect() } }
}
