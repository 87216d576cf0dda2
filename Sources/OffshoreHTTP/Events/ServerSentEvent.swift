/// A message to a page that listens, as `EventSource` takes it.
public struct ServerSentEvent: Sendable, Equatable {
  /// What the page sends back as `Last-Event-ID` when it reconnects.
  public var id: String?
  /// The name that the page listens for; `message` where there is none.
  public var event: String?
  /// The content, of any number of lines.
  public var data: String

  /// Makes a message. Line breaks within id and event turn to spaces.
  public init(id: String? = nil, event: String? = nil, data: String) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// The message as it is sent (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 32)
    if let id { Self.append("id: ", id.utf8.map(Self.inLine), to: &bytes) }
    if let event { Self.append("event: ", event.utf8.map(Self.inLine), to: &bytes) }
    appendData(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// About how many bytes the message takes, of which it is never empty.
  var size: Int { data.utf8.count + (id?.utf8.count ?? 0) + (event?.utf8.count ?? 0) + 32 }

  private func appendData(to bytes: inout [UInt8]) {
    var rest = Array(data.utf8)[...]
    while true {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      Self.append("data: ", line, to: &bytes)
      rest = rest[line.endIndex...]
      guard let end = rest.popFirst() else { return }
      if end == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
    }
  }

  private static func append(
    _ name: StaticString, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]
  ) {
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// NB: A page ignores an id that contains NUL.
  private static func inLine(_ byte: UInt8) -> UInt8 {
    ASCII.isControl(byte) ? UInt8(ascii: " ") : byte
  }
}
