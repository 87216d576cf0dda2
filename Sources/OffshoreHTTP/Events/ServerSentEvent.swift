/// A message to a page, which receives it by `EventSource`.
public struct ServerSentEvent: Sendable, Equatable {
  /// The id that the page sends as `Last-Event-ID` when it reconnects.
  public var id: String?
  /// The name of the event, or `nil` for `message`.
  public var event: String?
  /// The content, in any number of lines.
  public var data: String

  /// Creates an event. Control characters in its id and name become spaces.
  public init(id: String? = nil, event: String? = nil, data: String) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// The encoded event (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 32)
    if let id { Self.append("id: ", id.utf8.map(Self.inLine), to: &bytes) }
    if let event { Self.append("event: ", event.utf8.map(Self.inLine), to: &bytes) }
    appendData(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The approximate size of the event in bytes, which is never 0.
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

  /// Replaces a control character by a space.
  ///
  /// NB: A page ignores an id with NUL.
  private static func inLine(_ byte: UInt8) -> UInt8 {
    ASCII.isControl(byte) ? UInt8(ascii: " ") : byte
  }
}
