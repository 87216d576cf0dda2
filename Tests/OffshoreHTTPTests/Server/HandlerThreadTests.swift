import Foundation
import OffshoreHTTP
import Testing

/// The threads on which handlers begin.
struct HandlerThreadTests {
  /// The thread of the caller, as text.
  private static var thread: String { "\(pthread_self())" }

  @available(macOS 26, iOS 26, *)
  @Test func `Only handlers of short, plain bodies begin on the thread of the connections`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.threads = 1
    let threads = try await serving(configuration) { _ in
      .text(Self.thread)
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try [(10, nil), (10, "gzip"), (100_000, nil), (10, nil)].map { (count, encoding) in
          var request = Request(.post, "/", body: [UInt8](repeating: 65, count: count))
          request.headers["Content-Encoding"] = encoding
          client.send(request)
          return try client.response().text
        }
      }
    }
    #expect(threads[0] == threads[3])
    #expect(threads[1] != threads[0] && threads[2] != threads[0])
  }
}
