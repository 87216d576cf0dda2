import OffshoreHTTP
import Testing

/// Clients that close a connection, or their direction of it, before the response.
struct GoneClientTests {
  /// A handler that waits until its task is cancelled.
  private static let untilCancelled: @Sendable (Request) async throws -> Response = { request in
    for await _ in AsyncStream<Void>.makeStream().stream {}
    if request.path == "/failing" { try Task.checkCancellation() }
    return .text("done")
  }

  @Test func `A request is cancelled if its client has disconnected`() async throws {
    let (isCancelled, continuation) = AsyncStream.makeStream(of: Void.self)
    try await serving(.forTests) { request in
      let response = try await Self.untilCancelled(request)
      continuation.yield()
      return response
    } _: { port in
      try await onThread {
        let client = try RawClient(port: port)
        client.send(Request(.get, "/"))
      }
      for await _ in isCancelled { break }
    }
  }

  @Test func `A client that has closed only its own direction still gets the response`()
    async throws
  {
    let responses = try await serving(.forTests, Self.untilCancelled) { port in
      try await onThread {
        try ["/", "/failing"].map { path in
          var client = try RawClient(port: port)
          client.send(Request(.get, path))
          client.finishSending()
          return try client.response()
        }
      }
    }
    #expect(responses.map(\.status) == [.ok, .serviceUnavailable])
  }
}
