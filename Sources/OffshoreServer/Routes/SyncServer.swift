public import OffshoreHTTP
import OffshoreWire

/// Answers devices and people over HTTP, from a log.
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

  /// Takes what to answer from.
  /// - Parameters:
  ///   - log: what is stored.
  ///   - rules: what is done with pushed batches.
  ///   - pull: what is told to devices that pull.
  ///   - accounts: what accounts may do; what is usual for the manifest of the rules unless given.
  ///   - hub: what tells listeners of changes.
  ///   - blobs: where the contents of blobs are; without it there are none.
  ///   - hasher: what hashes passwords.
  ///   - configuration: what whoever runs the server decides.
  ///   - clock: the server's clock, in milliseconds since 1970.
  ///   - makeSecret: makes tokens and codes.
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

  /// The routes, all below `/v1` but those that watch over the server.
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
