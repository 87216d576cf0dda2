import Testing

@testable import OffshoreHTTP

struct ServerSentEventTests {
  private static func text(_ event: ServerSentEvent) -> String {
    String(decoding: event.encoded, as: UTF8.self)
  }

  @Test func `Is written as id, event, and data`() {
    let event = ServerSentEvent(id: "7", event: "patch", data: "{}")
    #expect(Self.text(event) == "id: 7\nevent: patch\ndata: {}\n\n")
    #expect(Self.text(ServerSentEvent(data: "")) == "data: \n\n")
  }

  @Test func `Keeps the lines of its data, whatever the line breaks`() {
    let event = ServerSentEvent(data: "a\nb\r\nc\rd\n\n")
    #expect(Self.text(event) == "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: \n\n")
  }

  @Test func `Replaces line breaks in id and event by spaces`() {
    let event = ServerSentEvent(id: "1\ndata: x", event: "a\r\nb\0", data: "c")
    #expect(Self.text(event) == "id: 1 data: x\nevent: a  b \ndata: c\n\n")
  }

  @Test func `Never uses more than twice its counted bytes`() {
    for data in ["", "a", "\n", String(repeating: "ab\n", count: 1_000)] {
      let event = ServerSentEvent(id: "1", event: "e", data: data)
      #expect(event.encoded.count >= data.utf8.count)
      #expect(event.size >= event.data.utf8.count + 32)
    }
  }
}
