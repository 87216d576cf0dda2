public import Offshore
import OffshoreWire

/// The driver that syncs a database with a server, by performing the actions of a ``SyncEngine``.
///
/// ```swift
/// let driver = SyncDriver(database, replica, over: HTTPTransport(server))
/// await driver.setToken(token)
/// await driver.start()
/// for await status in driver.statuses() { … }
/// ```
///
/// It makes no decisions itself. All its background tasks have ended when ``stop()`` returns.
///
/// A driver does not read the access token of a ``SyncedStore``. An app with a driver of its own
/// passes the token after each launch; `SyncService`, of `OffshorePresentation`, does this for its
/// driver. Without a token, requests fail as `unauthorized`, and syncing pauses until
/// ``setToken(_:)`` sets one.
public actor SyncDriver {
  let database: Database
  let replica: Replica
  let transport: any SyncTransport
  let files: BlobFolder?
  private let monitor: (any ReachabilityMonitor)?
  let environment: Environment

  private(set) var engine: SyncEngine
  private(set) var token: String?
  private var push: Task<Void, Never>?
  private var pull: Task<Void, Never>?
  /// The next pulls that were requested ahead, in their order.
  var ahead: [PullAhead] = []
  /// The end of those that were cancelled.
  var endingAhead: Task<Void, Never>?
  var rounds = PullRounds()
  /// Whether the write-ahead log may have content of rows that the account may not read any more, or `nil`
  /// before the first pull.
  var hasFormerContent: Bool?
  private(set) var pullWaiters = RequestWaiters(.pull)
  private(set) var pushWaiters = RequestWaiters(.push)
  private var stream: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  /// The latest reading of held changes, which the next one waits for.
  private var heldReading: Task<Void, Never>?
  /// The reading of held changes that has not begun, which all callers until then share.
  private var nextHeldReading: Task<Void, Never>?
  private var followers: [Task<Void, Never>] = []
  /// The task that stops syncing, which all callers of ``stop()`` await.
  private var stopping: Task<Void, Never>?
  /// The lane of files, from the first start on.
  var fileLane: FileLane?
  /// The latest start or stop of the lane, which the next one waits for.
  var fileLaneChange: Task<Void, Never>?
  private var listeners: [Int: AsyncStream<SyncEngine.Status>.Continuation] = [:]
  private var lastListener = 0

  /// Creates a driver. Nothing is sent before ``start()``, and nothing without an access token.
  /// - Parameters:
  ///   - database: the database to sync.
  ///   - replica: the synced tables of the database.
  ///   - transport: the connection to the server.
  ///   - files: the files that rows refer to, or `nil` to send and fetch rows only. Files need a
  ///     ``HTTPTransport``.
  ///   - monitor: the network monitor, or `nil` if only requests find out whether the server can be
  ///     reached.
  ///   - timing: the delays and intervals.
  ///   - environment: the sources of time, randomness and ids.
  public init(
    _ database: Database, _ replica: Replica, over transport: any SyncTransport,
    files: BlobFolder? = nil, monitor: (any ReachabilityMonitor)? = nil,
    timing: SyncEngine.Timing = SyncEngine.Timing(),
    environment: Environment = Environment()
  ) {
    self.database = database
    self.replica = replica
    self.transport = transport
    self.files = files
    self.monitor = monitor
    self.environment = environment
    engine = SyncEngine(timing: timing)
  }

  // MARK: - Control

  /// Starts to sync, until ``stop()`` is called. Does nothing while ``stop()`` is under way.
  public func start() {
    guard followers.isEmpty, stopping == nil else { return }
    follow()
    handle(.started)
    changeFileLane(to: token)
  }

  /// Stops syncing, and waits until all background tasks have ended. Pending changes are sent after
  /// the next start.
  public func stop() async {
    let stopping = stopping ?? Task { await end() }
    self.stopping = stopping
    await stopping.value
  }

  private func end() async {
    handle(.stopped)
    timer?.cancel()
    for follower in followers { follower.cancel() }
    changeFileLane(to: nil)
    await fileLaneChange?.value
    for task in [push, pull, stream, timer] + followers { await task?.value }
    cancelAhead()
    await endingAhead?.value
    endingAhead = nil
    followers = []
    stopping = nil
  }

  /// Pushes and pulls without delay, and does not wait for the answers.
  ///
  /// While the driver is stopped, this has no effect. While there is no network or syncing is
  /// paused, the requests are made as soon as that ends.
  public func syncNow() { handle(.syncNow) }

  /// Pushes and pulls without delay, and waits until everything that the server has now is applied.
  /// It does not wait for the push.
  /// - Throws: the reason why the pull failed, or why no pull is made: `cancelled` if the driver is
  ///   not started or is stopped meanwhile, `unreachable` if there is no network, `unauthorized` if
  ///   the access token is missing or not valid, `upgradeRequired` if the server does not support
  ///   this version of the app.
  public func pullNow() async throws(SyncEngine.Failure) {
    let failure = await withCheckedContinuation { waiter in
      pullWaiters.add(waiter)
      handle(.syncNow)
    }
    if let failure { throw failure }
  }

  /// Sends all changes that were committed before without delay, and waits until the server has applied
  /// or refused them.
  ///
  /// It pulls first, because the account's roles decide which changes can be sent. If the server's data is
  /// replaced meanwhile, it pulls and pushes again. A change in a scope in which the account has no role,
  /// and which it cannot claim, stays pending, and so does a refused change that is sent again later.
  /// - Throws: the reason why a request failed, or why none is made, as ``pullNow()`` does: `malformed`
  ///   if a scope cannot be read, after the changes were sent, and `server` if the server's data is
  ///   replaced again and again. Changes that are not sent stay pending, and are sent later.
  public func drain() async throws(SyncEngine.Failure) {
    for round in 1...Self.mostDrainRounds {
      var unread: SyncEngine.Failure?
      do throws(SyncEngine.Failure) {
        try await pullNow()
      } catch {
        // The other scopes are pulled.
        guard error.code == .malformed else { throw error }
        unread = error
      }
      let former = try await unsent()
      if former.hasAny { try await pushNow() }
      let left = former.hasAny ? try await unsent().batches : []
      guard left.isEmpty || round == Self.mostDrainRounds else { continue }
      if let unread { throw unread }
      // The others were made meanwhile.
      if left.isDisjoint(with: former.batches) { return }
      throw SyncEngine.Failure(
        .server, "The server did not take all changes. They stay pending, and are sent later.")
    }
  }

  /// The largest number of times that ``drain()`` pulls and pushes.
  private static let mostDrainRounds = 8

  /// Returns whether there are changes to send, and the positions of those that are sealed.
  private func unsent() async throws(SyncEngine.Failure) -> (hasAny: Bool, batches: Set<Int64>) {
    try await convertingErrors { [database, replica] in
      try await database.read { reader in
        let keys = try replica.schema.batchQueries.sendable.select { $0.key }.all(reader)
        return (try replica.hasUnsent(reader), Set(keys.compactMap(\.self)))
      }
    }
  }

  /// Pushes without delay, and waits until there is nothing more to send.
  private func pushNow() async throws(SyncEngine.Failure) {
    let failure = await withCheckedContinuation { waiter in
      pushWaiters.add(waiter)
      // A delay is ended only together with that of pulls.
      handle(engine.push.retry.wait > 0 ? .syncNow : .changesCaptured)
    }
    if let failure { throw failure }
  }

  /// Sets the access token for later requests, or removes it with `nil`. This ends a pause because
  /// of the former token.
  public func setToken(_ token: String?) {
    guard token != self.token else { return }
    self.token = token
    handle(.credentialsChanged)
    if !followers.isEmpty, stopping == nil { changeFileLane(to: token) }
  }

  /// Waits for the end of a push and a pull that are under way, so that their rows precede files.
  ///
  /// Later ones are not waited for: files would never move while rows change all the time.
  func waitForRows() async {
    await push?.value
    await pull?.value
  }

  /// The current status.
  public var status: SyncEngine.Status { engine.status }

  /// Returns a stream of the current status and each change. A slow reader gets the latest status
  /// only.
  ///
  /// The stream ends only with the task that reads it. After ``stop()`` it delivers the phase
  /// `stopped`, and then the statuses after the next start.
  public func statuses() -> AsyncStream<SyncEngine.Status> {
    let (statuses, continuation) = AsyncStream.makeStream(
      of: SyncEngine.Status.self, bufferingPolicy: .bufferingNewest(1))
    lastListener += 1
    let key = lastListener
    listeners[key] = continuation
    continuation.yield(engine.status)
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(key) }
    }
    return statuses
  }

  private func forget(_ key: Int) { listeners[key] = nil }

  // MARK: - Events

  /// Handles an event.
  /// - Parameter excess: the size in bytes of a push that failed because of it, if a smaller one can
  ///   follow.
  func handle(_ event: SyncEngine.Event, excess: Int? = nil) {
    let before = engine.status
    let moment = SyncEngine.Moment(
      milliseconds: environment.now(), random: environment.random())
    if event.wantsLatest { cancelAhead() }
    rounds.handle(event)
    if let excess { engine.limitPushes(to: excess) }
    let actions = engine.handle(event, at: moment)
    pullWaiters.handle(event, isPaused: engine.pause != nil)
    if excess == nil { pushWaiters.handle(event, isPaused: engine.pause != nil) }
    for action in actions { perform(action) }
    if let failure = engine.blockingFailure {
      pullWaiters.resumeAll(failure)
      pushWaiters.resumeAll(failure)
    }
    let status = engine.status
    guard status != before else { return }
    if before.lastError != nil, status.lastError == nil { retryFiles() }
    for listener in listeners.values { listener.yield(status) }
  }

  private func perform(_ action: SyncEngine.Action) {
    switch action {
    case .push:
      pushWaiters.begin()
      push = Task { await runPush(environment) }
    case .pull:
      pullWaiters.begin()
      pull = Task { [target = engine.pullTarget] in await runPull(target, environment) }
    case .cancelRequests:
      push?.cancel()
      pull?.cancel()
      cancelAhead()
    case .openStream: stream = Task { await runStream() }
    case .closeStream: stream?.cancel()
    case .setTimer(let milliseconds):
      timer?.cancel()
      timer = Task { await runTimer(.milliseconds(milliseconds)) }
    case .cancelTimer: timer?.cancel()
    }
  }

  private func runTimer(_ duration: Duration) async {
    guard (try? await environment.sleep(duration)) != nil, !Task.isCancelled else { return }
    handle(.timerFired)
  }

  /// Observes the captured changes and the network.
  private func follow() {
    let changes = database.values { [replica] in try replica.outbox.mark($0) }
    followers.append(
      Task { [weak self] in
        do {
          for try await mark in changes where !mark.isEmpty {
            await self?.handle(.changesCaptured)
          }
        } catch {
          // The database is closed or cannot be read. Requests fail for the same reason and report
          // it.
        }
      })
    let held = database.values { [replica] in try replica.heldChanges($0) }
    followers.append(
      Task { [weak self] in
        do {
          for try await _ in held { await self?.readHeldChanges() }
        } catch {
          // As above.
        }
      })
    guard let monitor else { return }
    followers.append(
      Task { [weak self] in
        for await connection in monitor.connections() {
          await self?.handle(.reachabilityChanged(connection.isAvailable))
        }
      })
  }

  /// Reads the changes that no request sends, and passes them to the engine, after all earlier readings.
  ///
  /// The observation and the requests share a reading that has not begun: it has what each has written.
  func readHeldChanges() async {
    if let nextHeldReading { return await nextHeldReading.value }
    let reading = Task { [former = heldReading, database, replica] in
      await former?.value
      nextHeldReading = nil
      // If the database cannot be read, requests fail for the same reason and report it.
      guard let held = try? await database.read({ try replica.heldChanges($0) }) else { return }
      handle(.changesHeld(held))
    }
    (heldReading, nextHeldReading) = (reading, reading)
    await reading.value
  }
}
