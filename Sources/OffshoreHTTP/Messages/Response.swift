/// What the server answers: a status, headers, and bytes or a stream of events.
public struct Response: Sendable {
  /// What follows the headers.
  public enum Body: Sendable {
    /// Bytes that are there already; the server states their length.
    case bytes([UInt8])
    /// A part of a file, which is sent without being held in memory.
    case file(FileSlice)
    /// Events as they come, until the channel closes or the client goes away.
    case events(EventChannel)
  }

  /// The outcome.
  public var status: Status
  /// The header fields; the server adds date, length, and connection.
  public var headers: Headers
  /// What follows them. The server leaves it out where the request was `HEAD`.
  public var body: Body

  /// Makes a response, without a body unless one is given.
  public init(_ status: Status, headers: Headers = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The bytes of the body, for tests; none where it is a stream of events.
  ///
  /// NB: Those of a file are all read. ``byteCount`` tells how many they are without that.
  public var bytes: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .file(let slice): slice.bytes
    case .events: []
    }
  }

  /// How many bytes the body has; 0 where it is a stream of events.
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
