import Foundation
import Offshore
import OffshoreHTTP
import OffshoreServer
import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreSync

/// Compression of bodies in both directions, over a real connection.
struct CompressionTests {
  @Test(.timeLimit(.minutes(1)))
  func `Long bodies are sent compressed, and short ones are not`() async throws {
    let seen = Mutex<[Request]>([])
    let answer = [UInt8](repeating: 7, count: 100_000)
    let server = HTTPServer { request in
      seen.withLock { $0.append(request) }
      return Response(
        .ok, headers: ["Content-Encoding": "gzip"], body: .bytes(Gzip.compress(answer) ?? []))
    }
    let port = try server.start()
    let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let transport = HTTPTransport(url)
    let long = [UInt8](repeating: 9, count: 50_000)
    for body in [long, [1, 2, 3]] {
      #expect(try await transport.send(body, to: "v1/push", token: "t") == answer)
    }
    let requests = seen.withLock { $0 }
    #expect(requests.map { $0.headers["Content-Encoding"] } == ["gzip", nil])
    #expect(try Gzip.decompress(requests[0].body, limit: 50_000) == long)
    #expect(requests[1].body == [1, 2, 3])
    #expect(requests.allSatisfy { $0.headers["Accept-Encoding"]?.contains("gzip") == true })
    await server.stop()
  }
}
