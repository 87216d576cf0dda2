import OffshoreHTTP
import OffshoreWire

/// The checks of a request's head, before its body is received.
struct RequestAdmission: Sendable {
  private let server: SyncServer
  /// The access of each route, by method and pattern.
  private let access: [Request.Method: [String: ServerRoute.Access]]

  init(_ server: SyncServer, _ routes: [ServerRoute]) {
    self.server = server
    access = Dictionary(grouping: routes, by: \.method).mapValues { routes in
      Dictionary(routes.map { ($0.pattern, $0.access) }) { first, _ in first }
    }
  }

  /// Authenticates a request by its head, and checks that its body can be decoded.
  /// - Throws: ``AccountError`` with the code `unauthorized`; `WireProblem` with the code
  ///   `tooManyRequests`; `HTTPError` with 415.
  func admit(_ request: inout Request) async throws {
    request[RequestTrace.self] = RequestTrace(request)
    request[ClientAddress.self] = ClientAddress(
      request, trustedProxies: server.configuration.trustedProxies)
    // A HEAD request is answered by the route of GET.
    let method = request.method == .head ? .get : request.method
    switch request.route.flatMap({ access[method]?[$0] }) {
    case nil, .open: return
    case .credentials: try server.limits.countRequest(from: request.network, at: server.clock())
    case .token:
      let caller = try await caller(of: request)
      request[Caller.self] = caller
      request.client = "\(caller.account)"
    }
    try BodyEncoding.check(request)
  }

  private func caller(of request: Request) async throws -> Caller {
    guard let text = Caller.token(in: request) else { throw Caller.missingToken }
    let now = server.clock()
    do {
      let token = try await server.storage.readPromptly { [rules = server.accounts] in
        try rules.token(bearing: Secret(text), at: now, from: $0)
      }
      try server.limits.requests.count("\(token.account)", at: now)
      return Caller(account: token.account, token: token.hash, expires: token.expires)
    } catch let error as AccountError {
      // NB: Only invalid tokens count. Otherwise a stranger could lock out the users of a shared
      // address.
      try server.limits.failures.count(request.network, at: now)
      throw error
    }
  }
}

/// The account of a request, and the access token that authenticated it.
struct Caller: Sendable {
  let account: AccountID
  let token: ContentHash
  /// The time at which the token expires, in milliseconds since 1970.
  let expires: Int64

  /// Returns the text after `Bearer`, or `nil` if the request has no access token.
  static func token(in request: Request) -> String? {
    guard let value = request.headers["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  /// The error of a request without an access token.
  static let missingToken = AccountError(
    .unauthorized, "Send a token as “Authorization: Bearer …”. Sign in for one.")
}

extension Request {
  /// The network of the client, by which limits are counted.
  var network: String { self[ClientAddress.self]?.network ?? "" }
}
