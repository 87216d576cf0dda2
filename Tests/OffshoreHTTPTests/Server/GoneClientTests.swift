import Foundation
import OffshoreHTTP
import TestSupport
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

  @Test(.timeLimit(.minutes(1)))
  func `A request is cancelled if its client has closed an encrypted connection`() async throws {
    let folder = try CertificateFolder()
    var configuration = HTTPServer.Configuration.forTests
    configuration.tls = try HTTPServer.TLS(
      certificates: folder.text(folder.certificate), key: folder.text(folder.key))
    try await expectCancellation(configuration) { port in
      let client = try TLSClient(port: port, certificate: folder.certificate)
      try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      return { try client.close() }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A request is cancelled if its client has sent more and disconnected`() async throws {
    try await expectCancellation(.forTests) { port in
      let client = try #require(Socket(to: port))
      _ = client.write(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      return {
        _ = client.write(Array("GET /next HTTP/1.1\r\n".utf8))
        client.close()
      }
    }
  }

  /// Expects that a handler is cancelled.
  /// - Parameter client: sends a request, and returns a closure that ends the connection.
  private func expectCancellation(
    _ configuration: HTTPServer.Configuration,
    _ client: @escaping @Sendable (UInt16) throws -> () throws -> Void
  ) async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let (isCancelled, cancellation) = AsyncStream.makeStream(of: Void.self)
    try await serving(configuration) { request in
      beginning.yield()
      let response = try await Self.untilCancelled(request)
      cancellation.yield()
      return response
    } _: { port in
      let hasBegun = DispatchSemaphore(value: 0)
      async let ended: Void = onThread {
        let close = try client(port)
        hasBegun.wait()
        try close()
      }
      for await _ in begun { break }
      hasBegun.signal()
      try await ended
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
