package import Foundation
package import OffshoreHTTP
package import OffshoreServer
package import OffshoreWire
import Synchronization
package import TestSupport

/// A real server on this machine, whose answers a test can hold back or replace by failures.
package final class LoopbackServer: Sendable {
  /// The address of the server.
  package let url: URL
  /// The changes that the server has accepted.
  package let storage: any ServerStorage
  /// Holds all requests back while it is closed.
  package let gate = Gate(isOpen: true)
  private let port: UInt16
  private let server: HTTPServer
  private let traffic: Traffic

  /// - Parameters:
  ///   - opensSignUp: Whether accounts can be made over the network.
  ///   - former: A server that has stopped, whose data and address this one has.
  ///   - copy: Data that was restored in place of the former server's.
  ///   - blobs: The store of blobs, if the server has them.
  ///   - middleware: Middleware that receives the requests as they are decoded.
  package init(
    _ manifest: Manifest, opensSignUp: Bool = true, continuing former: LoopbackServer? = nil,
    restoring copy: (any ServerStorage)? = nil, blobs: BlobStore? = nil,
    middleware: [Middleware] = []
  ) throws {
    var configuration = ServerConfiguration()
    configuration.opensSignUp = opensSignUp
    storage = try copy ?? former?.storage ?? SQLiteStorage.temporary(epoch: 7)
    let sync = SyncServer(
      storage: storage, rules: try PushRules(manifest), blobs: blobs,
      hasher: PasswordHasher(cost: .least),
      configuration: configuration)
    traffic = Traffic(gate: gate)
    var router = sync.router
    router.middleware.insert(traffic.middleware, at: 0)
    router.middleware += middleware
    var listening = HTTPServer.Configuration()
    listening.port = former?.port ?? 0
    listening.heartbeat = .milliseconds(200)
    server = HTTPServer(listening, router: router)
    port = try server.start()
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
    self.url = url
  }

  /// The number of requests so far.
  package var requestCount: Int { traffic.state.withLock(\.count) }

  /// The number of event streams that devices have asked for.
  package var streamCount: Int { traffic.state.withLock(\.streams) }

  /// Whether every request fails with the status 500.
  package var isFailing: Bool {
    get { failure != nil }
    set { failure = newValue ? .internalServerError : nil }
  }

  /// The status with which every request fails, or `nil`.
  package var failure: Response.Status? {
    get { traffic.state.withLock(\.failure) }
    set { traffic.state.withLock { $0.failure = newValue } }
  }

  /// Stops the server. Open streams end.
  package func stop() async { await server.stop() }
}

/// Counts the requests of a server, and answers in its place while it is to fail.
private final class Traffic: Sendable {
  let state = Mutex((count: 0, streams: 0, failure: Response.Status?.none))
  private let gate: Gate

  init(gate: Gate) { self.gate = gate }

  var middleware: Middleware {
    Middleware { [self] request, next in
      state.withLock {
        $0.count += 1
        if request.path == "/v1/events" { $0.streams += 1 }
      }
      await gate.pass()
      if let failure = state.withLock(\.failure) { return Response(failure) }
      return try await next(request)
    }
  }
}
