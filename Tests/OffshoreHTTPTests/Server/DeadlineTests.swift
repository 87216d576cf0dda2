import Dispatch
import OffshoreHTTP
import Testing

struct DeadlineTests {
  private static var short: HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.headerDeadline = .milliseconds(300)
    configuration.bodyDeadline = .milliseconds(300)
    configuration.idleTimeout = .seconds(1)
    return configuration
  }

  /// A configuration whose idle timeout is far longer than those of the head and of a test.
  private static var idle: HTTPServer.Configuration {
    var configuration = short
    configuration.idleTimeout = .seconds(40)
    return configuration
  }

  /// Sends a beginning, then single bytes until the server closes the connection.
  private static func drip(
    _ beginning: String, _ configuration: HTTPServer.Configuration = short
  ) async throws -> Duration {
    try await serving(configuration) { _ in
      .noContent
    } _: { port in
      try await onThread {
        let client = try RawClient(port: port)
        let clock = ContinuousClock()
        return clock.measure {
          client.send(beginning)
          while client.send("a") { client.waitForEnd(atMost: .milliseconds(20)) }
        }
      }
    }
  }

  @Test func `Disconnects a client that sends its request line and headers a byte at a time`()
    async throws
  {
    for beginning in ["", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: "] {
      let duration = try await Self.drip(beginning)
      #expect(duration > .milliseconds(250))
      #expect(duration < .seconds(10))
    }
  }

  @Test func `Disconnects a client that sends its body a byte at a time`() async throws {
    let beginning = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
    let duration = try await Self.drip(beginning)
    #expect(duration > .milliseconds(250))
    #expect(duration < .seconds(10))
  }

  @Test func `Disconnects a client that sends no byte of its body for the stall timeout`()
    async throws
  {
    let duration = try await serving(Self.stalling) { _ in
      .noContent
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try ContinuousClock().measure {
          client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\na")
          _ = try client.readToEnd()
        }
      }
    }
    #expect(duration > .milliseconds(250))
    #expect(duration < .seconds(20))
  }

  @Test func `Waits for a slow body while its bytes arrive`() async throws {
    let body = try await serving(Self.stalling) { request in
      Response(.ok, body: .bytes(request.body))
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n")
        // Twenty parts take several times as long as a part may.
        for _ in 0..<20 {
          client.send("a")
          client.waitForEnd(atMost: .milliseconds(60))
        }
        return try client.response().bytes
      }
    }
    #expect(body == [UInt8](repeating: UInt8(ascii: "a"), count: 20))
  }

  /// A configuration that limits only the time without progress.
  private static var stalling: HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration.forTests
    configuration.stallTimeout = .milliseconds(300)
    return configuration
  }

  @Test func `Answers other clients at once while many send their headers and bodies slowly`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.bodyDeadline = .milliseconds(1_500)
    configuration.headerDeadline = .milliseconds(1_500)
    let durations = try await serving(configuration) { _ in
      .noContent
    } _: { port in
      async let slow: [Duration] = withThrowingTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            try await onThread {
              let client = try RawClient(port: port)
              return ContinuousClock().measure {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n")
                if number % 2 == 0 { client.send("\r\n") }
                while client.send("a") { client.waitForEnd(atMost: .milliseconds(50)) }
              }
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let fast = try await onThread {
        try (0..<50).map { _ in
          try ContinuousClock().measure {
            var client = try RawClient(port: port)
            client.send(Request(.get, "/"))
            _ = try client.response()
          }
        }.sorted()
      }
      return (slow: try await slow, fast: fast)
    }
    #expect(durations.fast[25] < .milliseconds(500))
    #expect(durations.slow.count == 40)
    #expect(durations.slow.allSatisfy { $0 > .seconds(1) && $0 < .seconds(20) })
  }

  @Test func `Disconnects a client that continues to send after its body was refused`() async throws
  {
    let beginning = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n"
    #expect(try await Self.drip(beginning) < .seconds(10))
  }

  @Test func `Disconnects a client that connects and sends nothing`() async throws {
    let bytes = try await serving(Self.short) { _ in
      .noContent
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try client.readToEnd()
      }
    }
    #expect(bytes.isEmpty)
  }

  @Test func `Closes long before the deadline if the client ends within its request`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.heartbeat = .milliseconds(500)
    let duration = try await serving(configuration) { _ in
      .noContent
    } _: { port in
      try await onThread {
        try ContinuousClock().measure {
          for text in [
            "GE", "GET / HTTP/1.1\r\nHost",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\na",
          ] {
            var client = try RawClient(port: port)
            client.send(text)
            client.finishSending()
            _ = try client.readToEnd()
          }
        }
      }
    }
    #expect(duration < .seconds(10))
  }

  @Test(arguments: ["", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
  func `Gives the second request of a connection no more time than the first`(second: String)
    async throws
  {
    let first = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let duration = try await Self.drip(first + second, Self.idle)
    #expect(duration > .milliseconds(250))
    #expect(duration < .seconds(20))
  }

  @Test func `Allows a connection to be idle for longer than headers may take`() async throws {
    let statuses = try await serving(Self.idle) { _ in
      .noContent
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try (0..<2).map { _ in
          client.send(Request(.get, "/"))
          let status = try client.response().status
          client.waitForEnd(atMost: .milliseconds(900))
          return status
        }
      }
    }
    #expect(statuses == [.noContent, .noContent])
  }

  @Test func `Disconnects a client that does not read its response to the end in time`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.responseDeadline = .milliseconds(300)
    let count = 50_000_000
    let received = try await serving(configuration) { _ in
      Response(.ok, body: .bytes([UInt8](repeating: 65, count: count)))
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        // A client that does not read detects the closed connection by a failed write.
        while client.send("a") { client.waitForEnd(atMost: .milliseconds(20)) }
        return try client.readToEnd().count
      }
    }
    #expect(received < count)
  }

  @Test func `Disconnects a client that receives no byte of its response for the stall timeout`()
    async throws
  {
    let count = 50_000_000
    let received = try await serving(Self.stalling) { _ in
      Response(.ok, body: .bytes([UInt8](repeating: 65, count: count)))
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        while client.send("a") { client.waitForEnd(atMost: .milliseconds(20)) }
        return try client.readToEnd().count
      }
    }
    #expect(received < count)
  }

  @Test func `Sends a long response to a slow reader to its end`() async throws {
    let count = 20_000_000
    let received = try await serving(Self.stalling) { _ in
      Response(.ok, body: .bytes([UInt8](repeating: 65, count: count)))
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        var received = 0
        // Each part waits for less time than the timeout, and all of them for far more.
        while received < count {
          client.waitForEnd(atMost: .milliseconds(50))
          received += try client.read(count: min(1_000_000, count - received)).count
        }
        return received
      }
    }
    #expect(received == count)
  }

  @Test func `Does not limit the time of a handler`() async throws {
    let status = try await serving(Self.short) { _ in
      // Longer than the client's deadlines. The time itself is tested, so a timer measures it.
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
          continuation.resume()
        }
      }
      return .noContent
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        return try client.response().status
      }
    }
    #expect(status == .noContent)
  }
}
