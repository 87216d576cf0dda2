public import Observation
public import OffshoreSync

/// The model of a list of the devices that are signed in to the user's account.
///
/// The list is stored on the server only, and is fetched each time.
@MainActor @Observable
public final class DevicesModel {
  /// The devices: this one first, then the others, the latest sign-in first. `idle` if this device is not
  /// signed in.
  public private(set) var devices: ViewState<[SignedInDevice]> = .idle
  /// The device that could not be signed out by the latest request, and the error.
  private var failure: (device: SignedInDevice.ID, error: AppError)?

  private let sync: SyncService
  @ObservationIgnored private var fetching: Task<Void, Never>?
  /// The access token of the latest fetch.
  @ObservationIgnored private var lastToken: String?

  /// The maximum time that ``load()`` waits for the server.
  private static let loadTimeout = Duration.seconds(2)

  /// Creates a model. Nothing is fetched before ``load()``.
  public init(_ sync: SyncService) { self.sync = sync }

  private var session: Session { sync.session }

  /// Returns the error of the latest request if it was to sign out a device and failed.
  public func error(of device: SignedInDevice.ID) -> AppError? {
    failure?.device == device ? failure?.error : nil
  }

  // MARK: - Fetching

  /// Fetches the devices.
  ///
  /// If the server does not answer within two seconds, it returns before the devices have arrived.
  public func load() async {
    guard let fetching = fetch() else { return }
    _ = await wait(for: fetching, atMost: Self.loadTimeout, by: sync.sleep)
  }

  /// Fetches the devices again after each sign-in on this device, until the task is cancelled.
  public func observeChanges() async {
    let tokens = Observations { [weak self] in self?.session.token }
    for await token in tokens where token != lastToken { _ = fetch() }
  }

  private func fetch() -> Task<Void, Never>? {
    fetching?.cancel()
    lastToken = session.token
    guard session.isSignedIn else {
      devices = .idle
      return nil
    }
    if !devices.isKnown { devices = .loading }
    let task = Task { await fetchOnce() }
    fetching = task
    return task
  }

  private func fetchOnce() async {
    let next = await answer()
    if !Task.isCancelled { devices = next }
  }

  private func answer() async -> ViewState<[SignedInDevice]> {
    do {
      return .loaded(Self.sorted(try await session.devices()))
    } catch {
      return .error(error.asAppError)
    }
  }

  private static func sorted(_ devices: [SignedInDevice]) -> [SignedInDevice] {
    let others = devices.filter { !$0.isCurrent }
    return devices.filter(\.isCurrent) + others.sorted { ($1.since, $0.id) < ($0.since, $1.id) }
  }

  // MARK: - Requests by the user

  /// Signs another device out. It does nothing if the device is signed out already.
  /// - Returns: `false` if the request failed, with the reason in ``error(of:)``.
  @discardableResult
  public func signOut(_ id: SignedInDevice.ID) async -> Bool {
    failure = nil
    do {
      if let device = try await device(id) { try await session.signOut(device) }
      await fetch()?.value
      return true
    } catch {
      failure = (id, error.asAppError)
      return false
    }
  }

  /// Returns a device, or `nil` if it is signed out.
  private func device(_ id: SignedInDevice.ID) async throws -> SignedInDevice? {
    if let device = devices.data?.first(where: { $0.id == id }) { return device }
    return try await session.devices().first { $0.id == id }
  }
}
