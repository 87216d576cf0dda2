public import Foundation
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
public actor SyncDriver {
  let database: Database
  let replica: Replica
  let transport: any SyncTransport
  private let monitor: (any ReachabilityMonitor)?
  private let environment: Environment

  /// The sources of time, randomness and ids.
  public struct Environment: Sendable {
    /// The device's clock, in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    /// A source of random numbers.
    public var random: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    /// A source of new ids.
    public var makeID: @Sendable () -> UUID = { UUID() }
    /// The function that suspends a task for a duration.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates the environment with the sources of the system.
    public init() {}
  }

  private var engine: SyncEngine
  private(set) var token: String?
  private var push: Task<Void, Never>?
  private var pull: Task<Void, Never>?
  var ahead: PullAhead?
  private(set) var pullWaiters = PullWaiters()
  private var stream: Task<Void, Never>?
  private var timer: Task<Void, Never>?
  private var followers: [Task<Void, Never>] = []
  /// The task that stops syncing, which all callers of ``stop()`` await.
  private var stopping: Task<Void, Never>?
  private var listeners: [Int: AsyncStream<SyncEngine.Status>.Continuation] = [:]
  private var lastListener = 0

  /// Creates a driver. Nothing is sent before ``start()``.
  /// - Parameters:
  ///   - database: the database to sync.
  ///   - replica: the synced tables of the database.
  ///   - transport: the connection to the server.
  ///   - monitor: the network monitor, or `nil` if only requests find out whether the server can be
  ///     reached.
  ///   - timing: the delays and intervals.
  ///   - environment: the sources of time, randomness and ids.
  public init(
    _ database: Database, _ replica: Replica, over transport: any SyncTransport,
    monitor: (any ReachabilityMonitor)? = nil, timing: SyncEngine.Timing = SyncEngine.Timing(),
    environment: Environment = Environment()
  ) {
    self.database = database
    self.replica = replica
    self.transport = transport
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
    for task in [push, pull, stream, timer] + followers { await task?.value }
    ahead?.answer.cancel()
    _ = await ahead?.answer.value
    followers = []
    stopping = nil
  }

  /// Syncs without delay.
  public func syncNow() { handle(.syncNow) }

  /// Syncs without delay, and waits until everything that the server has now is applied.
  /// - Throws: the reason why the pull failed, or why no pull is made.
  public func pullNow() async throws(SyncEngine.Failure) {
    let failure = await withCheckedContinuation { waiter in
      pullWaiters.add(waiter)
      handle(.syncNow)
    }
    if let failure { throw failure }
  }

  /// Sets the access token for later requests, or removes it with `nil`.
  public func setToken(_ token: String?) {
    guard token != self.token else { return }
    self.token = token
    handle(.credentialsChanged)
  }

  /// The current status.
  public var status: SyncEngine.Status { engine.status }

  /// Returns a stream of the current status and each change. A slow reader gets the latest status
  /// only.
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

  func handle(_ event: SyncEngine.Event) {
    let before = engine.status
    let moment = SyncEngine.Moment(
      milliseconds: environment.now(), random: environment.random())
    if event.wantsLatest { ahead?.answer.cancel() }
    let actions = engine.handle(event, at: moment)
    pullWaiters.handle(event, isPaused: engine.pause != nil)
    for action in actions { perform(action) }
    if let failure = engine.blockingFailure { pullWaiters.resumeAll(failure) }
    let status = engine.status
    guard status != before else { return }
    for listener in listeners.values { listener.yield(status) }
  }

  private func perform(_ action: SyncEngine.Action) {
    switch action {
    case .push: push = Task { await runPush(environment) }
    case .pull:
      pullWaiters.begin()
      pull = Task { await runPull(environment) }
    case .cancelRequests:
      push?.cancel()
      pull?.cancel()
      ahead?.answer.cancel()
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
    guard let monitor else { return }
    followers.append(
      Task { [weak self] in
        for await isReachable in monitor.reachability() {
          await self?.handle(.reachabilityChanged(isReachable))
        }
      })
  }
}

extension SyncEngine.Event {
  /// Whether the next pull has to fetch the server's present state, rather than use an answer that
  /// was requested ahead.
  fileprivate var wantsLatest: Bool {
    switch self {
    case .streamOpened, .syncNow, .reachabilityChanged: true
    default: false
    }
  }
}
