public import OffshoreHTTP
import OffshoreWire

/// A server for devices and other clients over HTTP, with its data in a log.
///
/// ```swift
/// let sync = SyncServer(
///   log: log, rules: try PushRules(manifest),
///   clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
/// let server = HTTPServer(HTTPServer.Configuration(), router: sync.router)
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
  let limits = RequestLimits()
  let metrics = ServerMetrics()
  let configuration: Configuration

  /// Creates a server.
  /// - Parameters:
  ///   - log: the log of all data.
  ///   - rules: the rules for pushes.
  ///   - pull: the rules for pulls.
  ///   - accounts: the rules for accounts; by default the usual ones, for the manifest of `rules`.
  ///   - hub: the event streams of the server.
  ///   - blobs: the store of blobs. Without it, the server has no routes for blobs.
  ///   - hasher: the hasher of passwords.
  ///   - configuration: the configuration of the server.
  ///   - clock: the server's clock, in milliseconds since 1970.
  ///   - makeSecret: a closure that creates the secrets of access tokens and invitations.
  public init(
    log: Log, rules: PushRules, pull: PullRules = PullRules(),
    accounts: AccountRules? = nil, hub: HintHub = HintHub(),
    blobs: BlobStore? = nil, hasher: PasswordHasher = PasswordHasher(),
    configuration: Configuration = Configuration(),
    clock: @escaping @Sendable () -> Int64,
    makeSecret: @escaping @Sendable () -> Secret = { .random() }
  ) {
    self.log = log
    push = rules
    self.pull = pull
    self.accounts = accounts ?? AccountRules(rules.manifest)
    self.hub = hub
    self.blobs = blobs
    self.hasher = hasher
    self.configuration = configuration
    self.clock = clock
    self.makeSecret = makeSecret
  }

  /// The routes, which are all below `/v1` except those for monitoring.
  public var router: Router {
    var router = Router(
      middleware: [observing, BodyEncoding.middleware],
      presentError: { error, request in present(error, request) })
    router.admission = { try await admit(&$0) }
    addSync(to: &router)
    addAccounts(to: &router)
    addMembers(to: &router)
    addRows(to: &router)
    addBlobs(to: &router)
    addHealth(to: &router)
    addDescription(to: &router)
    return router
  }
}
