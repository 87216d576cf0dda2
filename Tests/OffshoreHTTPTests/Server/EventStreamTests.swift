import OffshoreHTTP
import Testing

struct EventStreamTests {
  /// Runs a server whose only page is a stream of events, and passes each new channel to the test.
  private static func streaming<Result>(
    heartbeat: Duration = .seconds(15), capacity: Int = 1 << 20,
    _ body: (UInt16, AsyncStream<EventChannel>) async throws -> Result
  ) async throws -> Result {
    var configuration = HTTPServer.Configuration.forTests
    configuration.heartbeat = heartbeat
    let (channels, continuation) = AsyncStream<EventChannel>.makeStream()
    return try await serving(configuration) { _ in
      let channel = EventChannel(capacity: capacity)
      continuation.yield(channel)
      return .events(channel)
    } _: { port in
      try await body(port, channels)
    }
  }

  private static func ended(_ channel: EventChannel) async {
    let (ends, continuation) = AsyncStream<Void>.makeStream()
    channel.onClose { continuation.finish() }
    for await _ in ends {}
  }

  @Test func `Sends each event when it is enqueued, and ends the response when the channel closes`()
    async throws
  {
    try await Self.streaming { port, channels in
      async let texts = onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        let head = try client.responseHead()
        #expect(head.headers["Content-Type"] == "text/event-stream")
        var texts = [try client.read(through: "data: 0\n\n")]
        for index in 1..<100 { texts.append(try client.read(through: "data: \(index)\n\n")) }
        texts.append(try client.read(through: "0\r\n\r\n"))
        return texts
      }
      let channel = try #require(await channels.first { _ in true })
      for index in 0..<100 {
        #expect(channel.send(ServerSentEvent(id: "\(index)", data: "\(index)")))
        await Task.yield()
      }
      channel.close()
      #expect(try await texts.count == 101)
    }
  }

  @Test func `Sends large events unchanged`() async throws {
    let data = String(repeating: "0123456789", count: 50_000)
    try await Self.streaming { port, channels in
      async let body = onThread {
        var client = try RawClient(port: port)
        // Without chunks, the body is everything until the end.
        client.send("GET / HTTP/1.0\r\n\r\n")
        _ = try client.responseHead()
        return String(decoding: try client.readToEnd(), as: UTF8.self)
      }
      let channel = try #require(await channels.first { _ in true })
      channel.send(ServerSentEvent(data: data))
      channel.close()
      #expect(try await body == ":\n\ndata: \(data)\n\n")
    }
  }

  @Test func `Writes a comment if nothing happens`() async throws {
    try await Self.streaming(heartbeat: .milliseconds(50)) { port, _ in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        _ = try client.responseHead()
        for _ in 0..<5 { _ = try client.read(through: ":\n\n") }
      }
    }
  }

  @Test func `Detects a disconnected client within a moment, even if nothing is sent`()
    async throws
  {
    try await Self.streaming { port, channels in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        _ = try client.read(through: ":\n\n")
      }
      let channel = try #require(await channels.first { _ in true })
      await Self.ended(channel)
      #expect(!channel.send(ServerSentEvent(data: "a")))
    }
  }

  @Test func `Disconnects a client that does not read, and discards its events`() async throws {
    try await Self.streaming(capacity: 100_000) { port, channels in
      async let received = onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        while client.send("a") { client.waitForEnd(atMost: .milliseconds(20)) }
        return try client.readToEnd().count
      }
      let channel = try #require(await channels.first { _ in true })
      let data = String(repeating: "a", count: 10_000)
      var sent = 0
      while channel.send(ServerSentEvent(data: data)) {
        sent += 1
        if sent.isMultiple(of: 5) { await Task.yield() }
      }
      #expect(!channel.isOpen)
      #expect(try await received <= sent * 10_100)
    }
  }

  @Test func `Serves many streams at once`() async throws {
    try await Self.streaming { port, channels in
      async let ends = onThread {
        var total = 0
        try Self.open(50, port: port) { total += 1 }
        return total
      }
      for _ in 0..<50 {
        let channel = try #require(await channels.first { _ in true })
        channel.send(ServerSentEvent(data: "hello"))
        channel.close()
      }
      #expect(try await ends == 50)
    }
  }

  /// Opens connections recursively, so that all are open at once, then reads each.
  private static func open(_ count: Int, port: UInt16, _ each: () -> Void) throws {
    guard count > 0 else { return }
    var client = try RawClient(port: port)
    client.send(Request(.get, "/"))
    _ = try client.responseHead()
    try open(count - 1, port: port, each)
    _ = try client.read(through: "data: hello\n\n")
    each()
  }

  @Test func `Answers HEAD without a stream, and closes the channel`() async throws {
    try await Self.streaming { port, channels in
      let status = try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.head, "/"))
        return try client.responseHead().status
      }
      #expect(status == .ok)
      await Self.ended(try #require(await channels.first { _ in true }))
    }
  }

  @Test func `Refuses to serve one channel twice`() async throws {
    let channel = EventChannel()
    let second = try await serving { _ in
      .events(channel)
    } _: { port in
      try await onThread {
        var first = try RawClient(port: port)
        first.send(Request(.get, "/"))
        _ = try first.responseHead()
        var second = try RawClient(port: port)
        second.send(Request(.get, "/"))
        let answer = try second.readToEnd()
        channel.close()
        _ = try first.read(through: "0\r\n\r\n")
        return answer
      }
    }
    #expect(second.isEmpty)
  }
}
