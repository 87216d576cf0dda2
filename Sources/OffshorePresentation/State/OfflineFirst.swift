public import Observation

/// What is stored on this device at once, and what a server has as soon as that is stored here too.
///
/// ```swift
/// let charters = OfflineFirst(Live { repository.charters() }) {
///   try await service.pull()  // stores what it gets, which `Live` then sees
/// }
/// await charters.load()
/// charters.state         // what is stored here
/// charters.remoteError   // why it may be behind the server
/// ```
///
/// What the server sends never comes to the screen on another way than through what is stored, so a
/// failure of the network changes nothing that is shown.
@MainActor
public final class OfflineFirst<Value: Sendable>: Observable {
  /// Why the server could not be asked the last time, where it could not.
  @Observed public private(set) var remoteError: AppError?
  /// Whether the server is being asked.
  @Observed public private(set) var isRefreshing = false

  private let local: Live<Value>
  private let remote: @MainActor () async throws -> Void
  private var refreshing: Task<Void, Never>?

  /// Takes what to follow, and how to bring it up to date.
  ///
  /// - Parameters:
  ///   - local: follows what is stored on this device.
  ///   - remote: asks the server and stores what it answers; throws where that failed.
  public init(_ local: Live<Value>, remote: @escaping @MainActor () async throws -> Void) {
    self.local = local
    self.remote = remote
  }

  deinit { refreshing?.cancel() }

  /// What is stored on this device, as a screen shows it.
  public var state: ViewState<Value> { local.state }

  /// Why what is shown may be behind what is stored on this device, where it may.
  public var refreshError: AppError? { local.refreshError }

  /// Reads what is stored on this device, and goes on to ask the server.
  ///
  /// It returns when there is something to show, or why there is not, and does not wait for the
  /// server, which is asked even where this device's own data cannot be read.
  public func load() async {
    startRefresh()
    await local.load()
  }

  /// Asks the server, and waits until its answer is stored or has failed.
  ///
  /// A call while the server is being asked waits for that.
  public func refresh() async { await startRefresh().value }

  @discardableResult
  private func startRefresh() -> Task<Void, Never> {
    if let refreshing { return refreshing }
    let task = Task { [weak self, remote] in
      do {
        try await remote()
        self?.endRefresh(nil)
      } catch {
        self?.endRefresh(error)
      }
    }
    refreshing = task
    isRefreshing = true
    return task
  }

  private func endRefresh(_ error: (any Error)?) {
    refreshing = nil
    isRefreshing = false
    // Who gave up knows it, and what was known before is still true.
    guard !(error is CancellationError) else { return }
    remoteError = error?.asAppError
  }
}
