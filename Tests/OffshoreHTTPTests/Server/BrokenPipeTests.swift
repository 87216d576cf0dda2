import Dispatch
import Foundation
import OffshoreHTTP
import TestSupport
import Testing

/// Clients that disconnect before they are answered, in a process that a write to them could end.
struct BrokenPipeTests {
  /// Serves clients that disconnect once their request has arrived, and answers later.
  private static func answer(
    _ request: String, _ respond: @escaping @Sendable () throws -> Response
  ) async throws {
    BrokenPipe.restoreDefaultSignal()
    let arrived = DispatchSemaphore(value: 0)
    let (leaving, continuation) = AsyncStream<Void>.makeStream()
    var router = Router()
    router.admission = { _ in
      arrived.signal()
      for await _ in leaving {}
    }
    router.get("") { _ in try respond() }
    router.post("", bodyLimit: 1) { _ in try respond() }
    try await serving(HTTPServer(.forTests, router: router)) { port in
      try await onThread {
        let client = try RawClient(port: port)
        client.send(request)
        arrived.wait()
        // NB: A write after only a reset fails for another reason than a broken pipe.
        client.finishSending()
        client.reset()
      }
      continuation.finish()
    }
  }

  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `An answer to a disconnected client does not end the process`() async {
    await #expect(processExitsWith: .success) {
      try await Self.answer(Self.get) {
        Response(.ok, body: .bytes([UInt8](repeating: 0, count: 4 << 20)))
      }
    }
  }

  @Test func `A refusal of a body to a disconnected client does not end the process`() async {
    await #expect(processExitsWith: .success) {
      try await Self.answer("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n") {
        .noContent
      }
    }
  }

  @Test func `An event for a disconnected client does not end the process`() async {
    await #expect(processExitsWith: .success) {
      let channel = EventChannel()
      try await Self.answer(Self.get) {
        channel.send(ServerSentEvent(data: "nobody reads this"))
        return .events(channel)
      }
      #expect(!channel.isOpen)
    }
  }

  @Test func `An event for a disconnected client with encryption does not end the process`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.restoreDefaultSignal()
      let folder = try CertificateFolder()
      var configuration = HTTPServer.Configuration.forTests
      configuration.tls = try HTTPServer.TLS(
        certificates: folder.text(folder.certificate), key: folder.text(folder.key))
      let channel = EventChannel()
      try await serving(configuration) { _ in
        .events(channel)
      } _: { port in
        try await onThread {
          let client = try TLSClient(port: port, certificate: folder.certificate)
          try client.send(Self.get)
          _ = client.read(through: ":\n\n")
        }
        while channel.send(ServerSentEvent(data: "nobody reads this")) { await Task.yield() }
      }
    }
  }
}
