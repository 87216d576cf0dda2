public import Observation

/// A history on a screen, observed live.
@MainActor @Observable
public final class HistoryModel {
  /// The reason why the latest losing value was not used, or `nil`.
  public private(set) var error: AppError?

  private let history: History
  private let live: Live<HistoryContent>
  private let access: ScopeAccess

  /// Creates a model. Nothing is read before ``load()``.
  public init(_ history: History, _ sync: SyncService) {
    self.history = history
    live = Live(required: { history.contents() })
    access = sync.access(to: history.scope)
  }

  /// The heading and the entries; an error if the thing is not on this device.
  public var content: ViewState<HistoryContent> { live.state }

  /// Whether the account may use losing values.
  public var canEdit: Bool { access.canEdit }

  /// The reasons why the content may be out of date.
  public var notices: [AppError] { [live.refreshError, access.error].compactMap(\.self) }

  /// Reads the history and the role of the account, and follows them from then on.
  /// - Throws: `AppError` with `database(.notFound)` if the thing is not on this device.
  public func load() async throws {
    async let role: Void = access.load()
    async let content: Void = live.loadRequired()
    _ = try await (role, content)
  }

  /// Makes a losing value the value again.
  /// - Returns: whether that is done; if not, ``error`` has the reason.
  @discardableResult
  public func use(_ id: HistoryEntry.ID) async -> Bool {
    do {
      try await history.use(id)
      error = nil
      return true
    } catch {
      self.error = AppError(saving: error)
      return false
    }
  }
}
