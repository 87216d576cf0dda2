import Foundation
public import OffshoreHTTP
public import OffshoreWire

/// A server for devices and other clients over HTTP.
///
/// ```swift
/// let data = try ServerData("server.sqlite")
/// let sync = try await SyncServer(data, manifest: manifest)
/// let server = HTTPServer(HTTPServer.Configuration(), router: sync.router)
/// try server.start()
/// ```
public struct SyncServer: Sendable {
  let storage: any ServerStorage
  let push: PushRules
  let pull: PullRules
  let accounts: AccountRules
  let members: MembershipRules
  let hub: HintHub
  let tokenWatch: TokenWatch
  let blobs: BlobStore?
  let hasher: PasswordHasher
  let configuration: ServerConfiguration
  let clock: @Sendable () -> Int64
  let makeSecret: @Sendable () -> Secret
  let limits = RequestLimits()
  let turns = AccountTurns()
  let downloads: DownloadSlots
  let metrics = ServerMetrics()

  /// Creates a server for data, which is from then on served under a manifest.
  ///
  /// - Parameters:
  ///   - data: the data to serve.
  ///   - manifest: the manifest of the app.
  ///   - mergeRules: the merge rules that the manifest names.
  ///   - configuration: the configuration of the server.
  /// - Throws: `WireError` with the code `invalidManifest` if the manifest is older than the one
  ///   that the data was last served under, lacks a part of it, or names a merge rule that is
  ///   missing; `DatabaseError`; the error of `FileManager` if the folder of blobs cannot be
  ///   created.
  public init(
    _ data: ServerData, manifest: Manifest, mergeRules: MergeRules = MergeRules(),
    configuration: ServerConfiguration = ServerConfiguration()
  ) async throws {
    let rules = try PushRules(
      manifest, rules: mergeRules, oldestVersion: configuration.oldestVersion)
    try await self.init(data, rules: rules, hasher: PasswordHasher(), configuration: configuration)
  }

  /// Creates a server for data, which is from then on served under the manifest of the rules.
  /// - Parameters:
  ///   - hasher: the hasher of passwords, which servers in one process share.
  ///   - downloads: the downloads of blobs under way, which they share, too.
  /// - Throws: as ``init(_:manifest:mergeRules:configuration:)``.
  package init(
    _ data: ServerData, rules: PushRules, hasher: PasswordHasher,
    downloads: DownloadSlots = DownloadSlots(), configuration: ServerConfiguration
  ) async throws {
    try await data.storage.adopt(rules.manifest)
    self.init(
      storage: data.storage, rules: rules,
      pull: PullRules(rules.access, oldestVersion: configuration.oldestVersion),
      blobs: try data.blobFolder.map { try BlobStore($0, limits: configuration.blobLimits) },
      hasher: hasher, downloads: downloads, configuration: configuration)
  }

  /// Creates a server for any storage.
  /// - Parameters:
  ///   - storage: the storage of the data, except the contents of blobs.
  ///   - rules: the rules for pushes.
  ///   - pull: the rules for pulls, by default without a limit of versions.
  ///   - hub: the event streams of the server.
  ///   - blobs: the store of blobs, with its limits. Without it, the server has no routes for blobs.
  ///   - hasher: the hasher of passwords.
  ///   - downloads: the downloads of blobs under way.
  ///   - configuration: the configuration of the server.
  ///   - clock: the server's clock, in milliseconds since 1970.
  ///   - makeSecret: a closure that creates the secrets of access tokens and invitations.
  package init(
    storage: any ServerStorage, rules: PushRules, pull: PullRules? = nil,
    hub: HintHub = HintHub(), blobs: BlobStore? = nil, hasher: PasswordHasher = PasswordHasher(),
    downloads: DownloadSlots = DownloadSlots(),
    configuration: ServerConfiguration = ServerConfiguration(),
    clock: @escaping @Sendable () -> Int64 = SystemClock.now,
    makeSecret: @escaping @Sendable () -> Secret = { .random() }
  ) {
    self.storage = storage
    var rules = rules
    rules.limits = configuration.storageLimits
    push = rules
    self.pull = pull ?? PullRules(rules.access)
    accounts = AccountRules(personalKinds: rules.manifest.personalKinds)
    members = rules.members
    self.hub = hub
    tokenWatch = TokenWatch(hub, storage)
    self.blobs = blobs
    self.hasher = hasher
    self.downloads = downloads
    self.configuration = configuration
    self.clock = clock
    self.makeSecret = makeSecret
  }

  /// The routes, which are all below `/v1` except those for monitoring.
  public var router: Router {
    let routes = routes
    let admission = RequestAdmission(self, routes)
    let log = RequestLog(self, routes)
    var router = Router(
      middleware: [log.middleware, turn, BodyEncoding.middleware],
      presentError: { error, request in log.response(to: error, request) })
    router.admission = { try await admission.admit(&$0) }
    for route in routes {
      router.on(
        route.method, route.pattern, bodyLimit: route.bodyLimit, handler: route.handler)
    }
    return router
  }

  /// The middleware with a limit of requests in hand for each account.
  private var turn: Middleware {
    Middleware { [turns] request, next in
      guard request.isAdmitted, let caller = request[Caller.self] else {
        return try await next(request)
      }
      return try await turns.run(for: caller.account) { try await next(request) }
    }
  }

  /// All routes of the server.
  var routes: [ServerRoute] {
    let own =
      SyncRoutes(server: self).routes + AccountRoutes(server: self).routes
      + TokenRoutes(server: self).routes
      + MemberRoutes(server: self).routes + InvitationRoutes(server: self).routes
      + RowRoutes(server: self).routes
      + (blobs.map { BlobRoutes(server: self, blobs: $0).routes } ?? [])
      + HealthRoutes(server: self).routes
    return own + [ServerDescription.route(describing: own)]
  }

  /// Removes tombstones that are older than a lifetime, and marks the present ones.
  ///
  /// Conflicts, results of batches and removed keys of JSON columns are removed after the same time;
  /// the last results of each device stay. Everything is removed in short writes, between those of
  /// devices.
  ///
  /// Call it regularly, for example each hour. An error is logged, and the next call makes up for
  /// it. A device that was away for longer than the lifetime fetches its scopes again, without
  /// losing its pending changes.
  /// - Parameter lifetime: how long a tombstone is stored at least, in whole milliseconds.
  public func collectTombstones(olderThan lifetime: Duration) async {
    let (retention, now) = (Retention(lifetime: Int64(lifetime / .milliseconds(1))), clock())
    do {
      try await retention.collect(at: now, in: storage)
    } catch is CancellationError {
      // The server stops, and the next one continues.
    } catch {
      RequestLog(self).write(error)
    }
  }

  /// Removes blobs that have been unused for 7 days, and files that have had no entry in the data for
  /// as long.
  ///
  /// A blob is unused in a scope if none of its rows refers to it in a file column. In scopes whose
  /// tables have no file columns, blobs stay until a client removes them. Files without an entry remain
  /// if the server is killed while it stores a blob, or if an older copy of the data is restored beside
  /// a newer folder.
  ///
  /// Call it once a day. An error is logged, and the next call makes up for it.
  public func sweepBlobs() async {
    guard let blobs else { return }
    let now = clock()
    do {
      try await UnusedBlobs(blobs: blobs, storage: storage, now: now).remove()
      try await BlobSweep(blobs: blobs, storage: storage, now: now).run()
    } catch is CancellationError {
      // The server stops, and the next one continues.
    } catch {
      RequestLog(self).write(error)
    }
  }
}

/// The clock of a server outside of tests.
package enum SystemClock {
  /// The milliseconds since 1970.
  package static let now: @Sendable () -> Int64 = {
    Int64(Date().timeIntervalSince1970 * 1_000)
  }
}
