import OffshoreHTTP
import OffshoreWire

/// The checks of a request's head, before its body is received.
extension SyncServer {
  /// The patterns of the routes for signing up and in, which need no access token.
  static var doors: Set<String> { ["v1/accounts", "v1/tokens"] }
  /// The patterns of other routes below `v1` that need no access token.
  private static var published: Set<String> { ["v1/openapi.json"] }

  /// Authenticates a request by its head, and checks that its body can be decoded.
  /// - Throws: ``AccountError`` with the code `unauthorized`; `WireProblem` with the code
  ///   `tooManyRequests`; `HTTPError` with 415.
  func admit(_ request: inout Request) async throws {
    request[Arrival.self] = Arrival(request)
    let address = ClientAddress(request, trustedProxies: configuration.trustedProxies)
    request[ClientAddress.self] = address
    guard let route = request.route, route.hasPrefix("v1/"), !Self.published.contains(route) else {
      return
    }
    if Self.doors.contains(route) {
      try limit(limits.addresses, address.network, at: clock())
    } else {
      request[Bearer.self] = try await bearer(of: request)
    }
    try BodyEncoding.check(request)
  }

  /// The account of a request, and the access token that authenticated it.
  struct Bearer: Sendable {
    let account: AccountID
    let token: ContentHash
    /// The time at which the token expires, in milliseconds since 1970.
    let expires: Int64
  }

  /// Returns the account of a request and its access token.
  /// - Throws: ``AccountError`` with the code `unauthorized` if the token is missing or not valid;
  ///   `WireProblem` with the code `tooManyRequests`.
  func authenticate(_ request: Request) async throws -> Bearer {
    if let known = request[Bearer.self] { return known }
    return try await bearer(of: request)
  }

  private func bearer(of request: Request) async throws -> Bearer {
    guard let text = Self.bearerText(in: request) else {
      throw AccountError(
        .unauthorized, "Send a token as “Authorization: Bearer …”. Sign in for one.")
    }
    let now = clock()
    do {
      let token = try await log.read { [accounts] log in
        try accounts.token(bearing: Secret(text), at: now, from: log)
      }
      try limit(limits.requests, "\(token.account)", at: now)
      return Bearer(account: token.account, token: token.hash, expires: token.expires)
    } catch let error as AccountError {
      // NB: Only invalid tokens count. Otherwise a stranger could lock out the users of a shared
      // address.
      try limit(limits.failures, network(of: request), at: now)
      throw error
    }
  }

  /// Returns the text after `Bearer`, or `nil` if the request has no access token.
  static func bearerText(in request: Request) -> String? {
    guard let value = request.headers["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  // MARK: - Limits

  /// Returns the network by which a request is limited.
  func network(of request: Request) -> String {
    request[ClientAddress.self]?.network
      ?? ClientAddress(request, trustedProxies: configuration.trustedProxies).network
  }

  /// Counts an attempt at the password of a name.
  /// - Throws: `WireProblem` with the code `tooManyRequests`.
  func limitGuesses(_ name: AccountName, _ request: Request, at now: Int64) throws {
    try limit(limits.names, "\(name.text) \(network(of: request))", at: now)
    try limit(limits.namesAnywhere, name.text, at: now)
  }

  func limit(_ limiter: RateLimiter, _ key: String, at now: Int64) throws {
    guard let wait = limiter.take(key, at: now) else { return }
    throw WireProblem(
      .tooManyRequests, "That was too often. Try again later.", retryAfter: (wait + 999) / 1_000)
  }
}
