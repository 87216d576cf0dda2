import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server on a loopback port responds as its description says.
struct LoopbackTests {
  @Test func `Each operation is answered as described, with and without access`() async throws {
    let folder = try BlobFolder()
    let server = HTTPServer(HTTPServer.Configuration(), router: folder.service.router)
    let client = LoopbackClient(port: try server.start())
    do {
      try await client.requestAll(of: folder.service.server.hub)
    } catch {
      Issue.record(error)
    }
    await server.stop()
  }
}

/// A client that sends requests to a port and checks each response against the server's
/// description.
private final class LoopbackClient {
  private let port: UInt16
  private let session: URLSession
  private var contract: Contract?
  private var requested: Set<String> = []
  private var token: String?

  init(port: UInt16) {
    self.port = port
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    session = URLSession(configuration: configuration)
  }

  func requestAll(of hub: HintHub) async throws {
    contract = try Contract(try await send(.get, "/v1/openapi.json", 200).bytes)
    try await requestAccounts()
    try await requestRows()
    try await requestBlobs()
    try await requestMembers()
    try await requestSync(hub)
    for path in ["/healthz", "/metrics", "/readyz", "/v1/openapi.json"] {
      try await send(.get, path, 200)
    }
    try await send(
      .post, "/v1/password", 204,
      json: #"{"password":"correct horse","newPassword":"battery staple"}"#)
    try await send(.delete, "/v1/tokens/current", 204)
    try await requestDeletion()
    #expect(
      requested == Set(try #require(contract).operations), "Request an operation that is added.")
  }

  private func requestAccounts() async throws {
    let credentials = #"{"name":"ida","password":"correct horse"}"#
    try await send(.post, "/v1/accounts", 201, json: credentials)
    try await send(.post, "/v1/accounts", 409, json: credentials)
    try await send(.post, "/v1/accounts", 422, json: #"{"name":"i","password":"correct horse"}"#)
    try await send(.post, "/v1/accounts", 415, body: Array(credentials.utf8))
    try await send(.post, "/v1/accounts", 400, json: "{")
    try await send(.post, "/v1/tokens", 401, json: #"{"name":"ida","password":"wrong horse"}"#)
    token = try await send(.post, "/v1/tokens", 201, json: credentials).json()["token"] as? String
    try await send(.get, "/v1/account", 200)
    let first = try await send(.post, "/v1/tokens", 201, json: credentials)
    let tokens = try await send(.get, "/v1/tokens", 200).json()["tokens"] as? [[String: Any]]
    let id = try #require(tokens?.first { $0["isCurrent"] as? Bool == false }?["id"] as? String)
    #expect(first.status == .created)
    try await send(.delete, "/v1/tokens/\(id)", 204)
    try await send(.delete, "/v1/tokens/\(id)", 404)
  }

  private func requestDeletion() async throws {
    let credentials = #"{"name":"ida","password":"battery staple"}"#
    token = try await send(.post, "/v1/tokens", 201, json: credentials).json()["token"] as? String
    try await send(.delete, "/v1/account", 400, json: "{}")
    try await send(.delete, "/v1/account", 403, json: #"{"password":"correct horse"}"#)
    try await send(.delete, "/v1/account", 204, json: #"{"password":"battery staple"}"#)
    try await send(.get, "/v1/account", 401)
  }

  private func requestRows() async throws {
    let (rows, row) = ("/v1/tables/tasks/rows", "/v1/tables/tasks/rows/a?scope=list/1")
    try await send(
      .post, "/v1/tables/lists/rows", 201, json: #"{"id":"1","values":{"title":"L"}}"#)
    let body = #"{"scope":"list/1","id":"a","values":{"title":"T"}}"#
    let tag = try await send(.post, rows, 201, json: body).headers["ETag"] ?? ""
    try await send(.post, rows, 409, json: body)
    try await send(.post, rows, 422, json: #"{"scope":"list/1","values":{}}"#)
    try await send(.get, rows, 200)
    try await send(.get, row, 200)
    try await send(.get, row, 304, ["If-None-Match": tag])
    try await send(.patch, row, 200, json: #"{"values":{"note":"n"}}"#)
    try await send(.patch, row, 412, ["If-Match": tag], json: #"{"values":{"note":"m"}}"#)
    try await send(.put, row, 200, json: #"{"values":{"title":"U"}}"#)
    try await send(.put, row, 412, ["If-None-Match": "*"], json: #"{"values":{"title":"V"}}"#)
    try await send(.put, row, 422, json: #"{"values":{}}"#)
    try await send(
      .put, "/v1/tables/tasks/rows/b?scope=list/1", 201, json: #"{"values":{"title":"T"}}"#)
    try await send(.put, "/v1/tables/nothing/rows/b?scope=list/1", 404, json: #"{"values":{}}"#)
    try await send(.delete, row, 412, ["If-Match": tag])
    try await send(.delete, row, 204)
    try await send(.get, row, 410)
    try await send(.get, "/v1/tables/tasks/rows/c?scope=list/1", 404)
    try await send(.get, "\(rows)?limit=0", 400)
    try await send(.post, rows, 413, json: String(repeating: " ", count: WireLimits.bodyBytes + 1))
  }

  private func requestBlobs() async throws {
    let content = BlobFolder.content(5 << 20)
    let hash = ContentHash(of: content)
    let (blob, length) = ("/v1/blobs/\(hash)", "\(content.count)")
    let first = BlobStore.partBytes
    try await send(
      .put, "\(blob)?scope=list/1", 202, ["Upload-Offset": "0", "Upload-Length": length],
      body: Array(content[..<first]))
    let head = try await send(.head, blob, 404)
    #expect(head.headers["Upload-Offset"] == "\(first)")
    try await send(
      .put, "\(blob)?scope=list/1", 409, ["Upload-Offset": "7", "Upload-Length": length], body: [1])
    try await send(
      .put, "\(blob)?scope=list/1", 201, ["Upload-Offset": "\(first)", "Upload-Length": length],
      body: Array(content[first...]))
    #expect(try await send(.get, blob, 200).bytes == content)
    let part = try await send(.get, blob, 206, ["Range": "bytes=4194300-4194309"])
    #expect(part.bytes == Array(content[4_194_300..<4_194_310]))
    try await send(.get, blob, 416, ["Range": "bytes=5242880-"])
    let whole = try await send(.head, blob, 200)
    #expect(whole.headers["Content-Length"] == length && whole.bytes.isEmpty)
    try await send(.put, "\(blob)?scope=list/1", 200, body: [])
    try await send(.delete, "\(blob)?scope=list/1", 204)
  }

  private func requestMembers() async throws {
    let (owner, list) = (token, "/v1/scopes/list/1")
    let code =
      try await send(.post, "\(list)/invitations", 201, json: #"{"role":"viewer"}"#)
      .json()["code"] as? String ?? ""
    let signUp = try await send(
      .post, "/v1/accounts", 201, json: #"{"name":"ben","password":"correct horse"}"#
    ).json()
    let ben = signUp["account"] as? String ?? ""
    token = signUp["token"] as? String
    try await send(.get, "\(list)/members", 403)
    let preview = try await send(
      .post, "/v1/invitations/preview", 200, json: #"{"code":"\#(code)"}"#
    ).json()
    #expect(preview["scope"] as? String == "list/1" && preview["members"] as? Int == 1)
    try await send(.post, "/v1/invitations/preview", 404, json: #"{"code":"\#(code)x"}"#)
    try await send(.post, "/v1/invitations", 200, json: #"{"code":"\#(code)"}"#)
    try await send(.post, "/v1/invitations", 404, json: #"{"code":"\#(code)x"}"#)
    try await send(
      .post, "/v1/tables/tasks/rows", 403, json: #"{"scope":"list/1","values":{"title":"T"}}"#)
    try await send(
      .put, "/v1/tables/tasks/rows/b?scope=list/1", 403, json: #"{"values":{"title":"T"}}"#)
    token = owner
    try await send(.get, "\(list)/members", 200)
    try await send(.put, "\(list)/members/\(ben)", 200, json: #"{"role":"editor"}"#)
    try await send(.delete, "\(list)/members/\(ben)", 204)
    try await send(.delete, "\(list)/members/nobody", 404)
    let id =
      try await send(.post, "\(list)/invitations", 201, json: #"{"role":"editor"}"#)
      .json()["id"] as? String ?? ""
    try await send(.get, "\(list)/invitations", 200)
    try await send(.delete, "\(list)/invitations/\(id)", 204)
    try await send(.delete, "\(list)/invitations/\(id)", 404)
  }

  private func requestSync(_ hub: HintHub) async throws {
    let push = PushRequest(device: .sample(1), epoch: 0, manifestVersion: 1, batches: [])
    let pushed = try await send(.post, "/v1/push", 200, body: push.body)
    #expect(try PushResponse(body: pushed.bytes).epoch == 7)
    try await send(.post, "/v1/push", 400, body: [1])
    try await send(.post, "/v1/push", 415, ["Content-Encoding": "br"], body: push.body)
    try await send(.post, "/v1/pull", 426, body: Array("OFSW".utf8) + [9, 1, 0])
    let pull = PullRequest(
      device: .sample(1), manifestVersion: 1, capabilities: .all, grantsAfter: 0, cursors: [],
      limit: 1)
    try await send(.post, "/v1/pull", 200, body: pull.body)
    let closing = Task {
      let deadline = ContinuousClock.now + .seconds(30)
      while hub.count == 0, ContinuousClock.now < deadline { await Task.yield() }
      hub.close()
    }
    try await send(.get, "/v1/events", 200)
    await closing.value
  }

  // MARK: - Requests

  @discardableResult private func send(
    _ method: Request.Method, _ target: String, _ status: Int, _ headers: Headers = [:],
    json: String
  ) async throws -> Response {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return try await send(method, target, status, headers, body: Array(json.utf8))
  }

  @discardableResult private func send(
    _ method: Request.Method, _ target: String, _ status: Int, _ headers: Headers = [:],
    body: [UInt8] = []
  ) async throws -> Response {
    var request = Request(method, target, headers: headers, body: body)
    if status != 413, contract?.isOpen(request) == false {
      let stranger = try await answer(to: request)
      #expect(stranger.status == .unauthorized, "\(method) \(target)")
      #expect(contract?.errors(in: stranger, to: request) == [])
    }
    request.headers["Authorization"] = token.map { "Bearer \($0)" }
    let response = try await answer(to: request)
    #expect(response.status.rawValue == status, "\(method) \(target): \(response.text.prefix(200))")
    #expect((contract?.errors(in: response, to: request) ?? []) == [])
    if (200..<300).contains(status), let operation = contract?.operation(of: request) {
      requested.insert(operation)
    }
    return response
  }

  private func answer(to request: Request) async throws -> Response {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(request.target)"))
    var native = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    native.httpMethod = request.method.rawValue
    for (name, value) in request.headers.fields { native.setValue(value, forHTTPHeaderField: name) }
    if !request.body.isEmpty { native.httpBody = Data(request.body) }
    let (data, answer) = try await session.data(for: native)
    let http = try #require(answer as? HTTPURLResponse)
    var headers = Headers()
    for (name, value) in http.allHeaderFields { headers.add("\(name)", "\(value)") }
    return Response(
      Response.Status(rawValue: http.statusCode), headers: headers, body: .bytes(Array(data)))
  }
}
