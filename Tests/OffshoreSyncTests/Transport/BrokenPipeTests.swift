import Foundation
import OffshoreHTTP
import TestSupport
import Testing

@testable import OffshoreSync

/// Servers that close a connection before they have read a request. The tests run in a separate
/// process, which a broken pipe could end.
struct BrokenPipeTests {
  /// Sends a body to a server that stops after it has read the head.
  private static func upload(_ tls: CertificateFolder?) async throws {
    BrokenPipe.restoreDefaultSignal()
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    configuration.stopDeadline = .milliseconds(100)
    configuration.tls = try tls.map {
      try HTTPServer.TLS(certificates: $0.text($0.certificate), key: $0.text($0.key))
    }
    let (heads, continuation) = AsyncStream.makeStream(of: Void.self)
    let (silence, end) = AsyncStream.makeStream(of: Void.self)
    defer { end.finish() }
    var router = Router()
    router.admission = { _ in
      continuation.yield()
      // Waits until the server stops, which cancels it.
      for await _ in silence {}
    }
    router.post("v1/push", bodyLimit: 1 << 30) { _ in .noContent }
    let server = HTTPServer(configuration, router: router)
    let port = try server.start()
    let url = try #require(URL(string: "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)"))
    let transport = HTTPTransport(url, certificates: tls?.certificate)
    let upload = _Concurrency.Task { try await transport.send(body, to: "v1/push", token: "t") }
    for await _ in heads { break }
    await server.stop()
    await #expect(throws: SyncEngine.Failure.self) { try await upload.value }
  }

  /// A body that exceeds the buffers of a connection and cannot be compressed.
  private static var body: [UInt8] {
    var random = SeededRandom(seed: 7)
    return (0..<1 << 19).map { _ in random.next() }.withUnsafeBytes(Array.init)
  }

  @Test func `An upload that the server does not read does not end the process`() async {
    await #expect(processExitsWith: .success) { try await Self.upload(nil) }
  }

  @Test func `An encrypted upload that the server does not read does not end the process`() async {
    await #expect(processExitsWith: .success) { try await Self.upload(CertificateFolder()) }
  }
}
