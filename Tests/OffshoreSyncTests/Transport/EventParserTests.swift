import Testing

@testable import OffshoreSync

struct EventParserTests {
  private typealias Event = EventParser.Event

  /// The events of a text whose bytes come in parts of a size.
  private func events(_ text: String, by size: Int) -> [Event]? {
    var parser = EventParser()
    var events: [Event] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      guard let found = parser.take(rest.prefix(size)) else { return nil }
      events += found
      rest = rest.dropFirst(size)
    }
    return events
  }

  @Test(arguments: 1...12)
  func `Events are read wherever the bytes are cut`(size: Int) {
    let text =
      ": hello\n\nevent: hint\ndata: 57 charter/7\n\nid: 9\r\ndata: é\r\ndata:  two\r\n\r\nretry: 5\n\n"
    #expect(
      events(text, by: size) == [
        Event(name: "hint", data: "57 charter/7"), Event(name: "message", data: "é\n two"),
      ])
  }

  @Test func `A name without data is no event, and one that has not ended is none yet`() {
    #expect(events("event: hint\n\ndata: x\n", by: 64) == [])
    #expect(events("data\ndata:\n\n", by: 64) == [Event(name: "message", data: "\n")])
    #expect(events("event: a\n\ndata: x\n\n", by: 3) == [Event(name: "message", data: "x")])
  }

  @Test func `Signs of life may come for ever, and an event that never ends is given up`() {
    let beat = ": \(String(repeating: "x", count: 100))\n\n"
    #expect(events(String(repeating: beat, count: 2_000), by: 4_096) == [])
    let comments = String(repeating: ": x\n", count: 40_000)
    #expect(events(comments + "data: y\n\n", by: 4_096) == [Event(name: "message", data: "y")])
    #expect(events("data: " + String(repeating: "x", count: 70_000), by: 4_096) == nil)
    #expect(events(String(repeating: "data: x\n", count: 20_000), by: 4_096) == nil)
  }
}
