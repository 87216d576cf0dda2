import OffshoreHTTP
import OffshoreWire

/// What is decided by the head of a request, before its body is taken.
extension SyncServer {
  /// The patterns of the routes that people get in by.
  static var doors: Set<String> { ["v1/accounts", "v1/tokens"] }

  /// Finds out who asks and from where, and whether the body can be read.
  /// - Throws: ``AccountError`` with the code `unauthorized`; `WireProblem` where it asks too often.
  func admit(_ request: inout Request) async throws {
    request[Arrival.self] = Arrival(request)
    let address = ClientAddress(request, trustedProxies: configuration.trustedProxies)
    request[ClientAddress.self] = address
    guard let route = request.route, route.hasPrefix("v1/") else { return }
    if Self.doors.contains(route) {
      try limit(limits.addresses, address.network, at: clock())
    } else {
      request[Bearer.self] = try await bearer(of: request)
    }
    try BodyEncoding.check(request)
  }

  /// Who is let in, and by which token.
  struct Bearer: Sendable {
    let account: AccountID
    let token: ContentHash
    /// When the token ends, in milliseconds since 1970.
    let expires: Int64
  }

  /// The account of a request, by its bearer token.
  /// - Throws: ``AccountError`` with the code `unauthorized`; `WireProblem` where it asks too often.
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
      // NB: Only after it was looked up: else a stranger could lock out who shares the address.
      try limit(limits.failures, network(of: request), at: now)
      throw error
    }
  }

  /// What stands after `Bearer`.
  static func bearerText(in request: Request) -> String? {
    guard let value = request.headers["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  // MARK: - Limits

  /// What a request is counted by where limits are by address.
  func network(of request: Request) -> String {
    request[ClientAddress.self]?.network
      ?? ClientAddress(request, trustedProxies: configuration.trustedProxies).network
  }

  /// Counts an attempt at the password of a name.
  /// - Throws: `WireProblem` where there were too many.
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
