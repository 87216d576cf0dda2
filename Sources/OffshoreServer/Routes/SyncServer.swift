public import OffshoreHTTP
import OffshoreWire

/// Answers devices and people over HTTP, from a log.
///
/// ```swift
/// let sync = SyncServer(log: log, rules: try PushRules(manifest))
/// let server = HTTPServer(configuration, router: sync.router)
/// ```
public struct SyncServer<Log: ServerLog>: Sendable {
  let log: Log
  let push: PushRules
  let pull: PullRules
  let accounts: AccountRules
  let hub: HintHub
  let blobs: BlobStore?
  let hasher: PasswordHasher
  let clock: @Sendable () -> Int64
  let makeSecret: @Sendable () -> Secret
  let limits: Limits

  /// How often addresses and accounts may ask.
  struct Limits: Sendable {
    /// Signing in and up, by address.
    let addresses = RateLimiter(RateLimiter.Rate(burst: 20, every: 3_000))
    /// Signing in, by name.
    let names = RateLimiter(RateLimiter.Rate(burst: 10, every: 6_000))
    /// Anything else, by account.
    let requests = RateLimiter(RateLimiter.Rate(burst: 2_000, every: 5))
  }

  /// Takes what to answer from.
  /// - Parameters:
  ///   - log: what is stored.
  ///   - rules: what is done with pushed batches.
  ///   - pull: what is told to devices that pull.
  ///   - accounts: what accounts may do.
  ///   - hub: what tells listeners of changes.
  ///   - blobs: where the contents of blobs are; without it there are none.
  ///   - hasher: what hashes passwords.
  ///   - clock: the server's clock, in milliseconds since 1970.
  ///   - makeSecret: makes tokens and codes.
  public init(
    log: Log, rules: PushRules, pull: PullRules = PullRules(),
    accounts: AccountRules = AccountRules(), hub: HintHub = HintHub(),
    blobs: BlobStore? = nil,
    hasher: PasswordHasher = PasswordHasher(),
    clock: @escaping @Sendable () -> Int64,
    makeSecret: @escaping @Sendable () -> Secret = { .random() }
  ) {
    self.log = log
    push = rules
    self.pull = pull
    var accounts = accounts
    accounts.personalKinds = rules.manifest.personalKinds
    self.accounts = accounts
    self.hub = hub
    self.blobs = blobs
    self.hasher = hasher
    self.clock = clock
    self.makeSecret = makeSecret
    limits = Limits()
  }

  /// The routes, all below `/v1` but those that watch over the server.
  public var router: Router {
    var router = Router(presentError: { error, _ in ServerProblem(error).response })
    addSync(to: &router)
    addAccounts(to: &router)
    addMembers(to: &router)
    addRows(to: &router)
    addBlobs(to: &router)
    addHealth(to: &router)
    addDescription(to: &router)
    return router
  }

  // MARK: - Who asks

  /// The account of a request, by its bearer token.
  /// - Throws: ``AccountError`` with the code `unauthorized`; `WireProblem` where it asks too often.
  func authenticate(_ request: Request) async throws -> Bearer {
    guard let secret = Self.secret(in: request) else {
      throw AccountError(
        .unauthorized, "Send a token as “Authorization: Bearer …”. Sign in for one.")
    }
    let now = clock()
    let account = try await log.read { [accounts] in
      try accounts.account(bearing: secret, at: now, from: $0)
    }
    try limit(limits.requests, "\(account)", at: now)
    return Bearer(account: account, token: secret.hash)
  }

  /// Who is let in, and by which token.
  struct Bearer: Sendable {
    let account: AccountID
    let token: ContentHash
  }

  private static func secret(in request: Request) -> Secret? {
    guard let value = request.headers["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return Secret(String(parts[1]))
  }

  func limit(_ limiter: RateLimiter, _ key: String, at now: Int64) throws {
    guard let wait = limiter.take(key, at: now) else { return }
    throw WireProblem(
      .tooManyRequests, "That was too often. Try again later.", retryAfter: (wait + 999) / 1_000)
  }
}
