public import Foundation
public import Observation
public import Offshore
import OffshoreLogging
public import OffshoreSync
package import OffshoreWire

/// A service that syncs a store with a server, and reports the state of syncing.
///
/// ```swift
/// let sync = try await store.sync(with: server)
/// await sync.start()
/// try await sync.signIn(name: "skipper", password: password)
/// ```
@MainActor @Observable
public final class SyncService {
  /// Returns the initial rows of a new user.
  public typealias Seeds = @MainActor (_ userID: UUID) -> [any Record]

  /// The session of the user, signed in or out.
  public let session: Session
  /// A client for single requests, which fail while syncing is switched off; `nil` without a
  /// server.
  public let client: ServerClient?
  /// The latest status of the sync engine, or `nil` before the first one.
  private(set) var status: SyncEngine.Status?
  /// The numbers of pending and refused changes, and whether the user's own rows have arrived.
  public private(set) var storeStatus = SyncedStore.Status()
  /// Whether airplane mode is on: syncing is switched off on this device. The choice is stored.
  public private(set) var isAirplane: Bool

  @ObservationIgnored let store: SyncedStore
  @ObservationIgnored private let gate: RequestGate
  @ObservationIgnored private let makeDriver: @MainActor () -> SyncDriver?
  /// The driver of the present user; `nil` without a server.
  @ObservationIgnored private var driver: SyncDriver?
  @ObservationIgnored private let seeds: Seeds?
  /// The summary of the latest sync after a period without the server. It is `nil` after a minute,
  /// after it was dismissed, and when the next period begins.
  public private(set) var reconnectionSummary: ReconnectionSummary?
  @ObservationIgnored private var reconnections: ReconnectionDetector
  private let shownIndicator: DebouncedIndicator
  @ObservationIgnored let sleep: @Sendable (Duration) async throws -> Void
  @ObservationIgnored private var observers: [Task<Void, Never>] = []
  /// The roles of the account, by kind of scope.
  @ObservationIgnored private var memberships: [String: Memberships] = [:]
  /// The latest start or stop, which the next one waits for.
  @ObservationIgnored private var transition: Task<Void, Never>?
  /// The task that stores the seeds of an account without rows.
  @ObservationIgnored private var seeding: (userID: UUID, task: Task<Void, Never>)?

  init(
    _ store: SyncedStore, _ session: Session, over transport: HTTPTransport?,
    monitor: (any ReachabilityMonitor)?, through gate: RequestGate, client: ServerClient?,
    seeds: Seeds?, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.store = store
    self.session = session
    self.client = client
    self.gate = gate
    isAirplane = !gate.isOpen
    self.seeds = seeds
    self.sleep = sleep
    shownIndicator = DebouncedIndicator { try await sleep(Self.indicatorDelay) }
    reconnections = ReconnectionDetector { store.now() }
    let makeDriver: @MainActor () -> SyncDriver? = {
      transport.map {
        SyncDriver(
          store.database, store.replica, over: $0, files: store.files, monitor: monitor)
      }
    }
    self.makeDriver = makeDriver
    driver = makeDriver()
  }

  // MARK: - State

  /// The state of the latest request.
  public var state: State { State(status) }

  /// The connection to the server, or the reason why the device cannot sync.
  public var connection: Connection {
    if driver == nil { return .noServer }
    if session.account == nil || !session.isSignedIn { return .signedOut }
    return isAirplane ? .airplane : Connection(status)
  }

  /// The state of syncing in brief, for every page.
  public var indicator: SyncIndicator {
    driver == nil || !session.isSignedIn ? .notSynced : shownIndicator.shown
  }

  /// The time that a transient indicator must last before it is shown.
  nonisolated private static let indicatorDelay = Duration.seconds(1)

  private func updateIndicator() {
    shownIndicator.update(to: SyncIndicator(connection, status, storeStatus))
    let isSettled = status?.phase.isAtRest == true && status?.isListening == true
    let result = reconnections.update(
      connection, isSettled: isSettled, received: status?.receivedCount ?? 0, storeStatus)
    if let result { show(result) }
    if [.airplane, .offline].contains(connection), reconnectionSummary != nil {
      reconnectionSummary = nil
    }
  }

  private func show(_ result: ReconnectionSummary) {
    reconnectionSummary = result
    Task { [weak self, sleep] in
      try? await sleep(Self.summaryDuration)
      if self?.reconnectionSummary == result { self?.reconnectionSummary = nil }
    }
  }

  /// The time for which ``reconnectionSummary`` is shown.
  nonisolated private static let summaryDuration = Duration.seconds(60)

  /// Removes ``reconnectionSummary``.
  public func dismissReconnectionSummary() { reconnectionSummary = nil }

  /// The time of the next automatic retry of a failed request.
  var nextRetry: Date? { status?.nextRetry.map { Date(milliseconds: $0) } }
  /// The time of the latest successful request.
  var lastSuccess: Date? { status?.lastSuccess.map { Date(milliseconds: $0) } }
  /// The error of the latest request, until one succeeds.
  var lastError: AppError? { status?.lastError?.asAppError }
  /// A number that increases when the members of a scope may have changed.
  var membershipChanges: UInt64 { status?.membershipChanges ?? 0 }
  /// A client for accounts and members, whose requests fail while syncing is switched off; `nil`
  /// without a server.
  var accounts: AccountClient? { client.map { AccountClient($0) } }

  /// The reason why no rows can arrive from the server; `nil` if they can, or if there is no
  /// server.
  public var blockingError: AppError? {
    switch connection {
    case .noServer, .online: nil
    case .signedOut: .auth(.notSignedIn)
    case .airplane, .offline: .network(.offline)
    case .failed: lastError
    case .expired: .auth(.expired)
    case .tooOld: .sync(.tooOld)
    }
  }

  // MARK: - Scopes

  /// Returns the live role of the account in a scope. All roles of a kind are observed once.
  package func access(to scope: ScopeID) -> ScopeAccess {
    access(toScopeOf: scope.kind, scope.value)
  }

  /// Returns the live role of the account in the scope of a kind with an id.
  public func access(to id: UUID, of kind: String) -> ScopeAccess {
    access(toScopeOf: kind, id.uuidString)
  }

  private func access(toScopeOf kind: String, _ value: String) -> ScopeAccess {
    let roles = memberships[kind] ?? Memberships(kind, in: store)
    memberships[kind] = roles
    return ScopeAccess(roles, value: value)
  }

  /// Observes the title of a scope's row. The value is `nil` while the row is not on this device.
  func liveTitle(of scope: ScopeID) -> Live<String?> {
    Live { [store] in store.values { try store.title(of: scope, $0) } }
  }

  /// Returns an observation of the members of a scope, as last pulled. The value is `nil` until the first
  /// sync of the scope is completed.
  func liveMembers(of scope: ScopeID) -> Live<[Member]?> {
    Live { [store] in store.values { try store.knownMembers(of: scope, $0) } }
  }

  /// Returns an observation of the accounts that may be added to a scope without an invitation.
  func liveKnownAccounts(notIn scope: ScopeID) -> Live<[KnownAccount]> {
    Live { [store] in store.values { try store.knownAccounts(notIn: scope, $0) } }
  }

  // MARK: - Signing in and out

  /// Creates an account that owns the rows on this device, and starts to sync.
  /// - Throws: `AppError`. Nothing has changed then.
  public func signUp(name: String, password: String) async throws {
    try await session.signUp(name: name, password: password)
    await start()
  }

  /// Signs in to an account, gives it the rows on this device, and starts to sync.
  /// - Throws: `AppError`. Nothing has changed then.
  public func signIn(name: String, password: String) async throws {
    try await session.signIn(name: name, password: password)
    await start()
  }

  /// Signs this device out, and stops syncing.
  ///
  /// - Parameter isErasing: whether to remove everything of the user from this device. Changes that
  ///   were not sent yet are lost then, and another account can sign in afterwards. Otherwise the
  ///   rows stay.
  /// - Throws: `DatabaseError`. The device is still signed in then.
  public func signOut(erasing isErasing: Bool = false) async throws {
    guard isErasing else {
      try await session.signOut()
      return await start()
    }
    let failure = await serialize { await self.erase() }
    if let failure { throw failure }
  }

  /// Erases the file while nothing is synced.
  /// - Returns: the error, if there was one.
  private func erase() async -> (any Error)? {
    await end()
    do {
      try await session.signOut(erasing: true)
    } catch {
      await begin()
      return error
    }
    forgetAccount()
    // After a failure, the next start of the app stores the seeds.
    if let seeds { _ = try? await store.seed(seeds(session.userID), of: session.userID) }
    await begin()
    return nil
  }

  /// Discards the facts about the former account.
  private func forgetAccount() {
    driver = makeDriver()
    (status, storeStatus, reconnectionSummary) = (nil, SyncedStore.Status(), nil)
    reconnections = ReconnectionDetector { [store] in store.now() }
    seeding = nil
    isAirplane = false
    gate.setOpen(true)
    updateIndicator()
  }

  /// Deletes the account on the server, and stops syncing. The rows on this device stay.
  /// - Throws: as `Session.deleteAccount(password:)`.
  public func deleteAccount(password: String) async throws {
    try await session.deleteAccount(password: password)
    await start()
  }

  // MARK: - Starting and stopping

  /// Starts to sync if the device is signed in, or applies a change of the session.
  ///
  /// Calls of this method, ``stop()`` and ``setAirplane(_:)`` take effect one after the other.
  public func start() async { await serialize { await self.begin() } }

  /// Stops all background work.
  public func stop() async { await serialize { await self.end() } }

  private func serialize<Result: Sendable>(
    _ body: @escaping @MainActor () async -> Result
  ) async -> Result {
    let former = transition
    let next = Task {
      await former?.value
      return await body()
    }
    transition = Task { _ = await next.value }
    return await next.value
  }

  private func begin() async {
    guard session.account != nil, let driver else { return }
    if observers.isEmpty { observe(driver) }
    if session.isSignedIn, !isAirplane {
      await driver.setToken(session.token)
      updateIndicator()
      await driver.start()
    } else {
      updateIndicator()
      // NB: The driver stops first, so that signing out does not wait for a request, and no change
      // is sealed that cannot be sent.
      await driver.stop()
      await driver.setToken(session.token)
    }
  }

  private func end() async {
    for observer in observers { observer.cancel() }
    await driver?.stop()
    for observer in observers { await observer.value }
    observers = []
    await seeding?.task.value
  }

  /// Switches airplane mode on or off. While it is on, this device sends no requests.
  /// - Throws: `AppError` if the choice cannot be stored. Nothing has changed then.
  public func setAirplane(_ isOn: Bool) async throws {
    do {
      try await store.set(Self.airplaneSetting, to: isOn ? "on" : "off")
    } catch {
      throw AppError(saving: error)
    }
    isAirplane = isOn
    gate.setOpen(!isOn)
    updateIndicator()
    await start()
  }

  static let airplaneSetting = "airplane"

  // MARK: - Syncing now

  /// Syncs without delay.
  public func syncNow() async { await driver?.syncNow() }

  /// The maximum time that ``pull()`` waits for the server.
  private static var pullTimeout: Duration { .seconds(2) }

  /// Syncs without delay, and waits up to two seconds for rows from the server, if there is one.
  /// - Throws: `AppError` if the pull fails. A server that takes longer is not an error: its rows
  ///   appear when they arrive.
  public func pull() async throws {
    guard let driver, session.isSignedIn else { return }
    guard !isAirplane else { throw AppError.network(.offline) }
    let pulling = Task { () async -> AppError? in
      do {
        try await driver.pullNow()
        return nil
      } catch {
        return error.asAppError
      }
    }
    let hasEnded = await wait(for: pulling, atMost: Self.pullTimeout, by: sleep)
    receive(await driver.status)
    if hasEnded, let error = await pulling.value { throw error }
  }

  /// Sends all pending changes without delay, and waits until the server has applied or refused them.
  ///
  /// A program that ends afterwards calls it, so that its changes do not wait for the next start. A change
  /// in a scope in which the account has no role yet stays pending.
  /// - Throws: `AppError`: the reason why a change could not be sent, such as no network. It stays
  ///   pending, and is sent later.
  public func drain() async throws {
    guard let driver, session.isSignedIn else { return }
    guard !isAirplane else { throw AppError.network(.offline) }
    do {
      try await driver.drain()
    } catch {
      throw error.asAppError
    }
    receive(await driver.status)
  }

  // MARK: - Observing

  private func observe(_ driver: SyncDriver) {
    observers = [
      Task { [weak self] in
        for await status in await driver.statuses() { self?.receive(status) }
      },
      Task { [weak self, store] in
        await store.status().forEachResult { self?.receive($0) }
      },
    ]
  }

  private func receive(_ status: SyncEngine.Status) {
    if let error = status.lastError, error.code != self.status?.lastError?.code {
      store.logger.warning("sync failed", .kind(of: error))
    }
    self.status = status
    updateIndicator()
  }

  private func receive(_ status: Result<SyncedStore.Status, any Error>) {
    guard case .success(let status) = status else { return }
    storeStatus = status
    updateIndicator()
    if status.hasArrived { seed() }
  }

  /// Stores the seeds of an account whose own rows have arrived, if it has none.
  private func seed() {
    let userID = session.userID
    guard let seeds, seeding?.userID != userID else { return }
    let rows = seeds(userID)
    seeding = (
      userID,
      Task { [weak self, store] in
        // After a failure the next change retries it.
        do { try await store.seed(rows, of: userID) } catch { self?.seeding = nil }
      }
    )
  }
}
