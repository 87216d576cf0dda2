import OffshoreHTTP
import Testing

/// Starts a server, runs a test with its port, and stops it.
func serving<Result>(
  _ configuration: HTTPServer.Configuration = .forTests, _ handler: @escaping Handler,
  _ body: (UInt16) async throws -> Result
) async throws -> Result {
  try await serving(HTTPServer(configuration, handler: handler), body)
}

func serving<Result>(
  _ server: HTTPServer, _ body: (UInt16) async throws -> Result
) async throws -> Result {
  let port = try server.start()
  do {
    let result = try await body(port)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

extension HTTPServer.Configuration {
  /// Long deadlines, so that a busy machine does not fail an unrelated test.
  static var forTests: HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.headerDeadline = .seconds(60)
    configuration.bodyDeadline = .seconds(60)
    return configuration
  }
}

/// The two ways to a router: the same tests pass for both.
enum Transport: CaseIterable, CustomTestStringConvertible {
  case inProcess
  case loopback

  var testDescription: String { self == .inProcess ? "in process" : "over loopback" }

  func respond(_ router: Router, to request: Request) async throws -> Response {
    switch self {
    case .inProcess: await router.respond(to: request)
    case .loopback:
      try await serving(HTTPServer(.forTests, router: router)) { port in
        try await onThread {
          var client = try RawClient(port: port)
          client.send(request)
          return try client.response(isHead: request.method == .head)
        }
      }
    }
  }
}
