import Testing

@testable import OffshoreSync

struct EventParserTests {
  private typealias Event = EventParser.Event

  /// Returns the events of a text that arrives in parts of a given size; `nil` if it is rejected.
  private func events(_ text: String, by size: Int) -> [Event]? {
    var parser = EventParser()
    var events: [Event] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      guard let found = parser.parse(rest.prefix(size)) else { return nil }
      events += found
      rest = rest.dropFirst(size)
    }
    return events
  }

  @Test(arguments: 1...12)
  func `Events are parsed wherever the bytes are split`(size: Int) {
    let text =
      ": hello\n\nevent: hint\ndata: 57 charter/7\n\nid: 9\r\ndata: é\r\ndata:  two\r\n\r\nretry: 5\n\n"
    #expect(
      events(text, by: size) == [
        Event(name: "hint", data: "57 charter/7"), Event(name: "message", data: "é\n two"),
      ])
  }

  @Test func `A name without data, and an event without an end, are not events`() {
    #expect(events("event: hint\n\ndata: x\n", by: 64) == [])
    #expect(events("data\ndata:\n\n", by: 64) == [Event(name: "message", data: "\n")])
    #expect(events("event: a\n\ndata: x\n\n", by: 3) == [Event(name: "message", data: "x")])
  }

  @Test func `Any number of heartbeats is accepted, and an endless event is rejected`() {
    let beat = ": \(String(repeating: "x", count: 100))\n\n"
    #expect(events(String(repeating: beat, count: 2_000), by: 4_096) == [])
    let comments = String(repeating: ": x\n", count: 40_000)
    #expect(events(comments + "data: y\n\n", by: 4_096) == [Event(name: "message", data: "y")])
    #expect(events("data: " + String(repeating: "x", count: 70_000), by: 4_096) == nil)
    #expect(events(String(repeating: "data: x\n", count: 20_000), by: 4_096) == nil)
  }
}
