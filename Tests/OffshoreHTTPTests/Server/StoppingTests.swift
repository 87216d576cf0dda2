import Dispatch
import OffshoreHTTP
import Synchronization
import Testing

struct StoppingTests {
  /// A gate that opens once, for all tasks that wait.
  private final class Latch: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
  }

  /// Leaves a connection open after a response, until the server closes it.
  private static func idle(at port: UInt16, _ isIdle: Latch) throws {
    var client = try RawClient(port: port)
    client.send(Request(.get, "/idle"))
    _ = try client.response()
    isIdle.open()
    _ = try client.readToEnd()
  }

  @Test func `Finishes the current request, and announces the end of the connection`()
    async throws
  {
    let (begun, released) = (Latch(), Latch())
    let server = HTTPServer(.forTests) { _ in
      begun.open()
      await released.wait()
      return .text("done")
    }
    let port = try server.start()
    async let response = onThread {
      var client = try RawClient(port: port)
      client.send(Request(.get, "/"))
      let response = try client.response()
      return (response, try client.readToEnd())
    }
    await begun.wait()
    async let stopped: Void = server.stop()
    await Task.yield()
    released.open()
    await stopped
    let (answer, rest) = try await response
    #expect(answer.text == "done")
    #expect(rest.isEmpty)
  }

  @Test func `Reads the rest of a body that has begun`() async throws {
    let server = HTTPServer(.forTests) { .text(String(decoding: $0.body, as: UTF8.self)) }
    let port = try server.start()
    let latch = Latch()
    async let text = onThread {
      var client = try RawClient(port: port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
      _ = try client.responseHead()
      latch.open()
      client.waitForEnd(atMost: .milliseconds(50))
      client.send("abc")
      return try client.response().text
    }
    await latch.wait()
    await server.stop()
    #expect(try await text == "abc")
  }

  @Test func `Does not wait for connections without a request`() async throws {
    let server = HTTPServer(.forTests) { _ in .noContent }
    let port = try server.start()
    let latch = Latch()
    async let ends = onThread {
      var idle = try RawClient(port: port)
      idle.send(Request(.get, "/"))
      _ = try idle.response()
      var fresh = try RawClient(port: port)
      latch.open()
      return [try idle.readToEnd(), try fresh.readToEnd()]
    }
    await latch.wait()
    let duration = await ContinuousClock().measure { await server.stop() }
    #expect(duration < .seconds(5))
    #expect(try await ends == [[], []])
  }

  @Test func `Sends the pending events of a stream, then ends it`() async throws {
    let begun = Latch()
    let channel = EventChannel()
    let server = HTTPServer(.forTests) { _ in
      begun.open()
      return .events(channel)
    }
    let port = try server.start()
    async let text = onThread {
      var client = try RawClient(port: port)
      client.send(Request(.get, "/"))
      _ = try client.read(through: ":\n\n")
      return String(decoding: try client.readToEnd(), as: UTF8.self)
    }
    await begun.wait()
    channel.send(ServerSentEvent(data: "last"))
    await server.stop()
    #expect(try await text.contains("data: last\n\n"))
    #expect(!channel.isOpen)
  }

  @Test func `Ends a stream that begins while the server stops`() async throws {
    let (begun, idle, released) = (Latch(), Latch(), Latch())
    let channel = EventChannel()
    let server = HTTPServer(.forTests) { request in
      if request.path == "/idle" { return .noContent }
      begun.open()
      await released.wait()
      return .events(channel)
    }
    let port = try server.start()
    async let idleConnectionIsClosed: Void = onThread { try Self.idle(at: port, idle) }
    async let bytes = onThread {
      var client = try RawClient(port: port)
      client.send(Request(.get, "/"))
      return try client.readToEnd()
    }
    await begun.wait()
    await idle.wait()
    async let duration = ContinuousClock().measure { await server.stop() }
    try await idleConnectionIsClosed
    released.open()
    #expect(await duration < .seconds(5))
    #expect(try await !bytes.isEmpty)
    #expect(!channel.isOpen)
  }

  @Test func `A connection whose response ends while the server stops is closed at once`()
    async throws
  {
    let (holding, released, idle, begun) = (Latch(), Latch(), Latch(), Latch())
    let stopping = DispatchSemaphore(value: 0)
    let size = 16 << 20
    let server = HTTPServer(.forTests) { request in
      guard request.path == "/held" else {
        let count = request.path == "/large" ? size : 0
        return Response(.ok, body: .bytes([UInt8](repeating: 0, count: count)))
      }
      holding.open()
      await released.wait()
      return .noContent
    }
    let port = try server.start()
    async let held = onThread {
      var client = try RawClient(port: port)
      client.send(Request(.get, "/held"))
      return try client.readToEnd()
    }
    async let idleConnectionIsClosed: Void = onThread { try Self.idle(at: port, idle) }
    async let large = onThread {
      var client = try RawClient(port: port)
      client.send(Request(.get, "/large"))
      _ = try client.responseHead()
      begun.open()
      stopping.wait()
      return try client.readToEnd().count
    }
    for latch in [holding, idle, begun] { await latch.wait() }
    async let duration = ContinuousClock().measure { await server.stop() }
    try await idleConnectionIsClosed
    stopping.signal()
    #expect(try await large == size)
    released.open()
    #expect(await duration < .seconds(5))
    _ = try await held
  }

  @Test func `Cancels a handler that runs past the deadline, and closes its connection`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.stopDeadline = .milliseconds(100)
    let (begun, cancelled) = (Latch(), Latch())
    let server = HTTPServer(configuration) { _ in
      begun.open()
      await withTaskCancellationHandler {
        await Latch().wait()
      } onCancel: {
        cancelled.open()
      }
      return .noContent
    }
    let port = try server.start()
    async let bytes = onThread {
      var client = try RawClient(port: port)
      client.send(Request(.get, "/"))
      return try client.readToEnd()
    }
    await begun.wait()
    await server.stop()
    await cancelled.wait()
    #expect(try await bytes.isEmpty)
  }

  @Test func `Stops repeatedly while requests and streams arrive`() async throws {
    for _ in 0..<20 {
      let server = HTTPServer(.forTests) { request in
        await Task.yield()
        return request.path == "/events" ? .events(EventChannel()) : .text("x")
      }
      let port = try server.start()
      async let clients: Void = withTaskGroup { group in
        for index in 0..<8 {
          group.addTask {
            _ = try? await onThread {
              for _ in 0..<100 {
                var client = try RawClient(port: port)
                client.send(Request(.get, index < 2 ? "/events" : "/"))
                _ = try client.responseHead()
              }
            }
          }
        }
      }
      await Task.yield()
      let duration = await ContinuousClock().measure { await server.stop() }
      #expect(duration < .seconds(5))
      await clients
    }
  }
}
