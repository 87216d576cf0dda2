public import Foundation
public import Observation
import Offshore
public import OffshorePresentation
public import OffshoreSync
import OffshoreWire

/// Keeps this device in sync, and shows how that goes.
@MainActor @Observable
public final class SyncService {
  /// What goes on, in a word.
  public enum State: Equatable, Sendable {
    /// Nothing has been synced since the app began, or nothing is to be.
    case idle
    /// A request is under way.
    case syncing
    /// The server has last answered as it should.
    case synced(Date)
    /// What was asked last came to nothing.
    case failed(AppError)
  }

  /// Whether this device can sync, and what keeps it from it.
  public enum Connection: Equatable, Sendable {
    /// No server was named to this app.
    case noServer
    /// Nobody has signed in.
    case signedOut
    /// Syncing was switched off here.
    case airplane
    /// The server is out of reach.
    case offline
    /// The server is reached, and does not answer as it should.
    case failed
    /// The server does not let this device in any more.
    case expired
    /// The server takes no app of this version.
    case tooOld
    /// The server is reached.
    case online
  }

  /// How syncing stands, as far as this device has heard.
  public private(set) var status: SyncEngine.Status?
  /// How much waits, and how much was set aside.
  public private(set) var outstanding = Outstanding()
  /// Whether syncing is switched off here, which the device remembers.
  public private(set) var isAirplane: Bool

  @ObservationIgnored private let gate: RequestGate
  @ObservationIgnored let session: Session
  @ObservationIgnored private let repository: LocalRepository
  @ObservationIgnored let driver: SyncDriver?
  @ObservationIgnored private let seeds: LibrarySeeds
  private let steady: SteadyIndicator
  @ObservationIgnored let sleep: @Sendable (Duration) async throws -> Void
  @ObservationIgnored private var followers: [Task<Void, Never>] = []
  /// The last switch that is under way, after which the next begins.
  @ObservationIgnored private var switching: Task<Void, Never>?
  /// Gives the account of an id the first checklists, where it has no library.
  @ObservationIgnored private var sowing: (userID: UUID, task: Task<Void, Never>)?

  init(
    session: Session, repository: LocalRepository, transport: (any SyncTransport)?,
    monitor: (any NetworkMonitor)? = nil, gate: RequestGate, seeds: LibrarySeeds,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.session = session
    self.repository = repository
    self.gate = gate
    isAirplane = !gate.isOpen
    self.seeds = seeds
    self.sleep = sleep
    steady = SteadyIndicator { try await sleep(Self.patience) }
    driver = transport.map {
      SyncDriver(
        repository.database, repository.replica, over: $0, monitor: monitor)
    }
  }

  // MARK: - What goes on

  /// What goes on, in a word.
  public var state: State {
    guard let status else { return .idle }
    if status.phase == .syncing { return .syncing }
    if let error = status.lastError { return .failed(error.asAppError) }
    return status.lastSuccess.map { .synced(Date(milliseconds: $0)) } ?? .idle
  }

  /// Whether this device can sync, and what keeps it from it.
  public var connection: Connection {
    if driver == nil { return .noServer }
    if session.account == nil || !session.isSignedIn { return .signedOut }
    if isAirplane { return .airplane }
    return switch status?.phase {
    case .paused(.unauthorized): .expired
    case .paused(.upgradeRequired): .tooOld
    case .offline: .offline
    case .syncing, .idle, .waiting, .stopped, nil:
      switch status?.lastError?.code {
      case nil: .online
      case .unreachable, .timedOut: .offline
      default: .failed
      }
    }
  }

  /// What to say about it on every screen.
  public var indicator: SyncIndicator {
    driver == nil || !session.isSignedIn ? .notSynced : steady.shown
  }

  /// For how long something has to last that passes by itself before it is shown.
  nonisolated private static let patience = Duration.seconds(1)

  /// What waits matters more than what is under way.
  private var indication: SyncIndicator {
    switch connection {
    case .noServer, .signedOut: .notSynced
    case .airplane: .airplane(outstanding.waiting)
    case .offline: .offline(outstanding.waiting)
    case .failed: .failed(outstanding.waiting)
    case .expired: .signInAgain
    case .tooOld: .updateApp
    case .online where outstanding.waiting > 0: .waiting(outstanding.waiting)
    case .online where outstanding.refused > 0: .refused(outstanding.refused)
    case .online: status?.phase == .idle ? .synced : .syncing
    }
  }

  /// When a request that failed is sent again by itself.
  public var nextTry: Date? { status?.nextRetry.map { Date(milliseconds: $0) } }
  /// When the server last answered as it should.
  public var lastSuccess: Date? { status?.lastSuccess.map { Date(milliseconds: $0) } }
  /// Why the last request came to nothing, until one succeeds.
  public var lastError: AppError? { status?.lastError?.asAppError }

  // MARK: - What is asked for

  /// Begins to sync as far as the device is signed in, or takes note of who is signed in now.
  ///
  /// What is asked for in a row happens in a row: the last one counts.
  public func start() async { await inOrder { await self.begin() } }

  /// Ends all that goes on in the background.
  public func stop() async { await inOrder { await self.end() } }

  private func inOrder(_ body: @escaping @MainActor () async -> Void) async {
    let former = switching
    let next = Task {
      await former?.value
      await body()
    }
    switching = next
    await next.value
  }

  private func begin() async {
    guard session.account != nil, let driver else { return }
    if followers.isEmpty { follow(driver) }
    if session.isSignedIn, !isAirplane {
      await driver.setToken(session.token)
      steady.take(indication)
      await driver.start()
    } else {
      steady.take(indication)
      // NB: It stops first, so that who signs out is not kept waiting for a request, nor what was
      // changed sealed for nobody.
      await driver.stop()
      await driver.setToken(session.token)
    }
  }

  private func end() async {
    for follower in followers { follower.cancel() }
    await driver?.stop()
    for follower in followers { await follower.value }
    followers = []
    await sowing?.task.value
  }

  /// Syncs without delay.
  public func syncNow() async { await driver?.syncNow() }

  /// Switches syncing off or on here. Switched off, this device makes no request.
  /// - Throws: `AppError` where that cannot be remembered; nothing is switched then.
  public func setAirplane(_ isOn: Bool) async throws {
    do {
      try await repository.keepSetting(Self.airplaneSetting, isOn ? "on" : "off")
    } catch {
      throw AppError(saving: error)
    }
    isAirplane = isOn
    gate.setOpen(!isOn)
    steady.take(indication)
    await start()
  }

  static let airplaneSetting = "airplane"

  private func follow(_ driver: SyncDriver) {
    followers = [
      Task { [weak self] in
        for await status in await driver.statuses() { self?.take(status) }
      },
      Task { [weak self, repository] in
        await repository.outstanding().follow { self?.take($0) }
      },
    ]
  }

  func take(_ status: SyncEngine.Status) {
    self.status = status
    steady.take(indication)
  }

  private func take(_ outstanding: Result<Outstanding, any Error>) {
    guard case .success(let outstanding) = outstanding else { return }
    self.outstanding = outstanding
    steady.take(indication)
    if outstanding.hasLibrary { sow() }
  }

  /// Gives an account whose library has come, and is empty, the first checklists.
  private func sow() {
    let userID = session.userID
    guard sowing?.userID != userID else { return }
    sowing = (
      userID,
      Task { [weak self, seeds] in
        // It is tried again when something changes.
        do { try await seeds.sow(for: userID) } catch { self?.sowing = nil }
      }
    )
  }
}
