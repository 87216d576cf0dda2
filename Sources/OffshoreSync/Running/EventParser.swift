/// A parser of server-sent events, whose bytes may arrive in parts of any size.
///
/// See
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>.
struct EventParser {
  /// A message with its name, which is `message` by default.
  struct Event: Hashable {
    var name: String
    var data: String
  }

  private var line: [UInt8] = []
  private var name = ""
  private var data: [String] = []
  private var wasReturn = false
  private var size = 0

  /// The maximum number of bytes of an event. A correct server sends far fewer.
  static let limit = 1 << 16

  /// Parses more bytes.
  /// - Returns: the events that the bytes complete, or `nil` if an event is too long.
  mutating func parse(_ bytes: some Sequence<UInt8>) -> [Event]? {
    var events: [Event] = []
    for byte in bytes {
      let isSecond = wasReturn && byte == UInt8(ascii: "\n")
      wasReturn = byte == UInt8(ascii: "\r")
      if isSecond { continue }
      if wasReturn || byte == UInt8(ascii: "\n") {
        if let event = endLine() { events.append(event) }
        continue
      }
      line.append(byte)
      size += 1
      guard size <= Self.limit else { return nil }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    // A line that begins with a colon is a comment, by which the server shows that it is alive.
    case "" where data.isEmpty && name.isEmpty: size = 0
    case "event": name = text
    case "data": data.append(text)
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Event? {
    defer { (name, data, size) = ("", [], 0) }
    guard !data.isEmpty else { return nil }
    return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
  }
}
