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

  /// The body as text, for tests.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds a `Set-Cookie` field.
  public mutating func setCookie(_ cookie: Cookie) {
    headers.add("Set-Cookie", cookie.headerValue)
  }
}
