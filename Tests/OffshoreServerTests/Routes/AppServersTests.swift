import Foundation
import OffshoreHTTP
import Testing

@testable import OffshoreServer

/// One server of several apps, without a socket.
struct AppServersTests {
  private let lines = LogLines()
  private let services: [TestService]
  private let servers: AppServers

  init() throws {
    services = try ["charters", "packing"].map { [lines] name in
      var configuration = ServerConfiguration()
      (configuration.app, configuration.log) = (name, lines.log)
      return try TestService(configuration: configuration)
    }
    servers = AppServers([
      ("charters", services[0].router), ("packing", services[1].router),
    ])
  }

  /// Sends a request in two steps, head and body, as a socket does.
  private func send(
    _ method: Request.Method, _ path: String, token: String? = nil, _ json: [String: String] = [:]
  ) async throws -> Response {
    var request = Request(method, path, remoteAddress: "192.0.2.1")
    if let token { request.headers["Authorization"] = "Bearer \(token)" }
    if !json.isEmpty {
      request.headers["Content-Type"] = "application/json"
      request.body = Array(try JSONEncoder().encode(json))
    }
    switch await servers.admit(request) {
    case .refused(let response): return response
    case .admitted(let request): return await servers.respond(to: request)
    }
  }

  @Test func `Each app has its own accounts, and the first app also answers without its name`()
    async throws
  {
    let person = ["name": "ida", "password": "correct horse"]
    let signedUp = try await send(.post, "/charters/v1/accounts", person)
    #expect(signedUp.status == .created)
    let token = try #require(try signedUp.json()["token"] as? String)
    for path in ["/charters/v1/account", "/v1/account"] {
      #expect(try await send(.get, path, token: token).status == .ok, "\(path)")
    }
    #expect(try await send(.get, "/packing/v1/account", token: token).status == .unauthorized)
    #expect(try await send(.post, "/packing/v1/tokens", person).status == .unauthorized)
    #expect(try await send(.post, "/v1/tokens", person).status == .created)
    #expect(try await send(.post, "/packing/v1/accounts", person).status == .created)
  }

  @Test func `A request without an app and a refused request are answered`() async throws {
    for path in ["/nothing/v1/account", "/nothing", "/charters", "/packing/", "/"] {
      #expect(try await send(.get, path).status == .notFound, "\(path)")
    }
    var request = Request(.post, "/packing/v1/tokens", remoteAddress: "192.0.2.1")
    guard case .admitted(let admitted) = await servers.admit(request) else {
      Issue.record("The head is not refused.")
      return
    }
    #expect(admitted.base == "/packing" && admitted.bodyLimit != nil)
    let refused = await servers.refuse(admitted, HTTPError(.contentTooLarge))
    #expect(refused.status == .contentTooLarge)
    request.path = "/packing/v1/push"
    #expect(try await send(.post, request.path).status == .unauthorized)
    let last = try #require(try lines.json().last)
    #expect(last["app"] as? String == "packing" && last["route"] as? String == "/v1/push")
  }

  @Test func `The server is ready once all apps are`() async throws {
    #expect(try await send(.get, "/readyz").status == .ok)
    await services[1].log.close()
    #expect(try await send(.get, "/charters/readyz").status == .ok)
    #expect(try await send(.get, "/readyz").status == .serviceUnavailable)
  }

  @Test(arguments: [
    ("anyfleet", true), ("ufree-2", true), ("", false), ("Any", false), ("a/b", false),
    ("v1", false), ("metrics", false), ("é", false), ("assets", false), ("live", false),
  ])
  func `A name consists of lowercase letters, digits and hyphens`(_ name: String, _ isName: Bool) {
    #expect(AppServers.isValidName(name) == isName)
  }
}
