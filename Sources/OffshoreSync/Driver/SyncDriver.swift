public import Foundation
public import Offshore
import OffshoreWire

/// Keeps a database in sync with a server: performs what a ``SyncEngine`` decides.
///
/// ```swift
/// let driver = SyncDriver(database, replica, over: HTTPTransport(server))
/// await driver.setToken(token)
/// await driver.start()
/// for await status in driver.statuses() { … }
/// ```
///
/// It decides nothing itself. All it does in the background has ended when ``stop()`` returns.
public actor SyncDriver {
  let database: Database
  let replica: Replica
  let transport: any SyncTransport
  private let monitor: (any NetworkMonitor)?
  private let environment: Environment

  /// Where time, randomness and names come from.
  public struct Environment: Sendable {
    /// The device's clock, in milliseconds since 1970.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    /// Draws a number.
    public var random: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    /// Makes a name.
    public var makeID: @Sendable () -> UUID = { UUID() }
    /// Waits for a time.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The system's.
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
  /// The end that is under way, for all who ask for it.
  private var stopping: Task<Void, Never>?
  private var listeners: [Int: AsyncStream<SyncEngine.Status>.Continuation] = [:]
  private var lastListener = 0

  /// Takes what to sync and how to reach the server. Nothing is sent before ``start()``.
  public init(
    _ database: Database, _ replica: Replica, over transport: any SyncTransport,
    monitor: (any NetworkMonitor)? = nil, timing: SyncEngine.Timing = SyncEngine.Timing(),
    environment: Environment = Environment()
  ) {
    self.database = database
    self.replica = replica
    self.transport = transport
    self.monitor = monitor
    self.environment = environment
    engine = SyncEngine(timing: timing)
  }

  // MARK: - What is asked for

  /// Begins to sync, and goes on until it is stopped. While it is being stopped this does nothing.
  public func start() {
    guard followers.isEmpty, stopping == nil else { return }
    follow()
    handle(.started)
  }

  /// Ends syncing, and waits until all that it does has ended. What was changed stays and is sent when
  /// it is started again.
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

  /// Syncs without delay, and waits until all is here that the server has now.
  /// - Throws: why the pull came to nothing, or why none is made.
  public func pullNow() async throws(SyncEngine.Failure) {
    let failure = await withCheckedContinuation { waiter in
      pullWaiters.add(waiter)
      handle(.syncNow)
    }
    if let failure { throw failure }
  }

  /// Takes what lets the device in from now on, or that nothing does.
  public func setToken(_ token: String?) {
    guard token != self.token else { return }
    self.token = token
    handle(.credentialsChanged)
  }

  /// What goes on, now.
  public var status: SyncEngine.Status { engine.status }

  /// What goes on, now and whenever it changes.
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

  // MARK: - What happens

  func handle(_ event: SyncEngine.Event) {
    let before = engine.status
    let moment = SyncEngine.Moment(
      milliseconds: environment.now(), random: environment.random())
    if event.wantsLatest { ahead?.answer.cancel() }
    let actions = engine.handle(event, at: moment)
    pullWaiters.hear(event, isPaused: engine.pause != nil)
    for action in actions { perform(action) }
    if let obstacle = engine.obstacle { pullWaiters.release(obstacle) }
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

  /// Follows what the app changes and whether there is a network.
  private func follow() {
    let changes = database.values { [replica] in try replica.outbox.mark($0) }
    followers.append(
      Task { [weak self] in
        do {
          for try await mark in changes where !mark.isEmpty {
            await self?.handle(.changesCaptured)
          }
        } catch {
          // The database is closed, or cannot be read: requests find that out and tell it.
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
  /// Whether a pull that follows is to tell what the server has now, and not what it had before.
  fileprivate var wantsLatest: Bool {
    switch self {
    case .streamOpened, .syncNow, .reachabilityChanged: true
    default: false
    }
  }
}
