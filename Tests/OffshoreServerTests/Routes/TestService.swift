import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreServer

/// A server with its routes and no socket, whose clock a test sets.
final class TestService: Sendable {
  let server: SyncServer
  let log: SQLiteStorage
  let clock: Clock
  let router: Router
  private let contract: Contract

  final class Clock: Sendable {
    private let value = Mutex<Int64>(1_000_000)
    var now: Int64 {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  init(
    hasher: PasswordHasher = PasswordHasher(cost: .least), manifest: Manifest? = nil,
    log: SQLiteStorage? = nil, blobs: BlobStore? = nil,
    configuration: ServerConfiguration = ServerConfiguration(), maximumClaims: Int = 1_000
  ) throws {
    let clock = Clock()
    var rules = try PushRules(manifest ?? Lists.claimable())
    rules.maximumClaims = maximumClaims
    let log = try log ?? .temporary(epoch: 7)
    self.log = log
    server = SyncServer(
      storage: log, rules: rules, blobs: blobs, hasher: hasher, configuration: configuration,
      clock: { clock.now })
    self.clock = clock
    router = server.router
    contract = try .ofAll()
  }

  func send(
    _ method: Request.Method, _ target: String, token: String? = nil, headers: Headers = [:],
    body: [UInt8] = [], address: String = "192.0.2.1",
    reservation: MemoryBudget.Reservation? = nil
  ) async -> Response {
    var headers = headers
    if let token { headers["Authorization"] = "Bearer \(token)" }
    var request = Request(method, target, headers: headers, body: body, remoteAddress: address)
    request.reservation = reservation
    let response = await router.respond(to: request)
    // Every response in every test has to match the description.
    #expect(contract.errors(in: response, to: request) == [])
    return response
  }

  /// Sends JSON.
  func send(
    _ method: Request.Method, _ target: String, token: String? = nil, _ json: [String: String],
    address: String = "192.0.2.1"
  ) async throws -> Response {
    await send(
      method, target, token: token, headers: ["Content-Type": "application/json"],
      body: Array(try JSONEncoder().encode(json)), address: address)
  }

  /// Creates an account.
  /// - Returns: The access token, and the account's id.
  func signUp(_ name: String, as id: UUID? = nil) async throws -> (token: String, id: UUID) {
    var json = ["name": name, "password": "correct horse"]
    json["account"] = id?.uuidString
    let response = try await send(.post, "/v1/accounts", json)
    #expect(response.status == .created)
    let answer = try response.json()
    return (
      try #require(answer["token"] as? String),
      try #require(UUID(uuidString: answer["account"] as? String ?? ""))
    )
  }

  // MARK: - Devices

  func push(
    _ number: Int64, to list: String = "1", device: UInt8, token: String, _ ops: [Op]
  ) async throws -> BatchResult.Outcome? {
    let request = PushRequest(
      device: .sample(device), epoch: 0, manifestVersion: 1,
      batches: [try TestServer.batch(number, in: list, ops)])
    let response = await send(.post, "/v1/push", token: token, body: request.body)
    #expect(response.status == .ok && response.headers["Content-Type"] == WireProtocol.contentType)
    return try PushResponse(body: response.bytes).results.first?.outcome
  }

  func pull(_ lists: [String], device: UInt8, token: String) async throws -> PullResponse {
    let request = PullRequest(
      device: .sample(device), manifestVersion: 1, capabilities: .all, grantsAfter: 0,
      cursors: try lists.map {
        PullCursor(
          try Lists.scope($0), epoch: 0, position: .snapshot(head: nil, after: nil),
          acknowledged: 0, conflictsAfter: 0)
      }, limit: 100)
    let response = await send(.post, "/v1/pull", token: token, body: request.body)
    #expect(response.status == .ok)
    return try PullResponse(body: response.bytes)
  }

  /// Invites an account to a scope, and accepts the invitation with the account's token.
  func join(_ scope: ScopeID, by owner: String, as role: String, _ token: String) async throws {
    let path = "/v1/scopes/\(scope.kind)/\(scope.value)/invitations"
    let invited = try await send(.post, path, token: owner, ["role": role])
    let code = try #require(try invited.json()["code"] as? String)
    let accepted = try await send(.post, "/v1/invitations", token: token, ["code": code])
    #expect(accepted.status == .ok)
  }

  /// Returns the ids of the tasks of a list, or `nil` if the account may not read it.
  func tasks(_ list: String = "1", device: UInt8, token: String) async throws -> [String]? {
    let answer = try await pull([list], device: device, token: token).scopes.first
    return answer?.content.page?.rows.rows.filter { $0.state.isLiving }.map(\.row)
      .filter { $0.table == "tasks" }.map(\.id)
  }
}

extension EventChannel {
  /// Returns the next hint, or `nil` at the end of the stream.
  func nextHint() async throws -> Hint? { try await next().map { try Hint($0.data) } }
}

extension Response {
  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  /// The header fields without the request's id, which always differs.
  var comparableHeaders: Headers {
    var headers = headers
    headers["X-Request-ID"] = nil
    return headers
  }

  /// The channel of an event stream, or `nil` if the body is not one.
  var channel: EventChannel? {
    if case .events(let channel) = body { channel } else { nil }
  }

  /// The code of an error, in JSON.
  var code: String? { (try? json())?["code"] as? String }
}
