import Synchronization
import Testing

@testable import OffshoreHTTP

struct EventChannelTests {
  private static func event(_ data: String) -> ServerSentEvent { ServerSentEvent(data: data) }

  @Test func `Delivers events in order, then ends`() async {
    let channel = EventChannel()
    for index in 0..<100 { #expect(channel.send(Self.event("\(index)"))) }
    channel.close()
    for index in 0..<100 { #expect(await channel.next()?.data == "\(index)") }
    #expect(await channel.next() == nil)
  }

  @Test func `Delivers an event to a waiting reader`() async {
    let channel = EventChannel()
    async let first = channel.next()
    await Task.yield()
    channel.send(Self.event("a"))
    #expect(await first?.data == "a")
    async let second = channel.next()
    channel.close()
    #expect(await second == nil)
  }

  @Test func `A poll returns buffered events in order, and does not wait`() {
    let channel = EventChannel(capacity: 100)
    #expect(channel.poll() == nil)
    // More than the capacity in total; only buffered events count against it.
    for index in 0..<10 {
      #expect(channel.send(Self.event("\(index)")))
      #expect(channel.send(Self.event("then")))
      #expect(channel.poll()?.data == "\(index)")
      #expect(channel.poll()?.data == "then")
    }
    channel.send(Self.event("last"))
    channel.close()
    #expect(channel.poll()?.data == "last")
    #expect(channel.poll() == nil)
  }

  @Test func `Stops waiting if the task is cancelled, and stays open`() async {
    let channel = EventChannel()
    let task = Task { await channel.next() }
    task.cancel()
    #expect(await task.value == nil)
    #expect(channel.isOpen)
  }

  @Test func `Accepts no event after it is closed`() {
    let channel = EventChannel()
    channel.close()
    #expect(!channel.isOpen)
    #expect(!channel.send(Self.event("a")))
  }

  @Test func `Calls each close handler once, also one that is added after the end`() {
    let channel = EventChannel()
    let calls = Counter()
    channel.onClose { calls.count.withLock { $0 += 1 } }
    channel.close()
    channel.close()
    #expect(calls.count.withLock { $0 } == 1)
    channel.onClose { calls.count.withLock { $0 += 10 } }
    #expect(calls.count.withLock { $0 } == 11)
  }

  @Test func `Closes and discards its events if its capacity is reached without a reader`()
    async
  {
    let channel = EventChannel(capacity: 1_000)
    let calls = Counter()
    channel.onClose { calls.count.withLock { $0 += 1 } }
    let text = String(repeating: "a", count: 100)
    var taken = 0
    while channel.send(Self.event(text)) { taken += 1 }
    #expect(1...10 ~= taken)
    #expect(!channel.isOpen)
    #expect(calls.count.withLock { $0 } == 1)
    #expect(await channel.next() == nil)
  }

  @Test func `Regains capacity when events are read`() async {
    let channel = EventChannel(capacity: 200)
    let text = String(repeating: "a", count: 100)
    for _ in 0..<50 {
      #expect(channel.send(Self.event(text)))
      #expect(await channel.next()?.data == text)
    }
  }

  private final class Counter: Sendable { let count = Mutex(0) }
}

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
