public import Observation

/// The model of a page with a history, observed live.
@MainActor @Observable
public final class HistoryModel {
  /// The reason why the latest decision was not stored, or `nil`.
  public private(set) var error: AppError?

  private let history: History
  private let live: Live<HistoryContent>
  private let access: ScopeAccess
  private let requests: MemberRequests

  /// Creates a model. Nothing is read before ``load()``.
  public init(_ history: History, _ sync: SyncService) {
    self.history = history
    live = Live(required: { history.contents() })
    access = sync.access(to: history.scope)
    requests = MemberRequests(sync: sync)
  }

  /// The heading and the entries; the error `database(.notFound)` if the subject is not on this
  /// device.
  public var content: ViewState<HistoryContent> { live.state }

  /// Whether the account may decide.
  public var canEdit: Bool { access.canEdit }

  /// The errors of failed refreshes, after which the content may be out of date.
  public var notices: [AppError] { [live.refreshError, access.error].compactMap(\.self) }

  /// Reads the history and the role of the account, and observes them from then on.
  /// - Throws: `AppError` with `database(.notFound)` if the subject is not on this device.
  public func load() async throws {
    async let role: Void = access.load()
    async let content: Void = live.loadRequired()
    _ = try await (role, content)
    if live.state.data?.entries.isEmpty == false, access.role != nil { learnNames() }
  }

  /// Requests the names of the authors. Until they arrive, the stored names are shown.
  private func learnNames() {
    Task { [requests, scope = history.scope] in try? await requests.storeNames(of: scope) }
  }

  /// Decides a conflict; see ``History/choose(_:of:)``.
  /// - Returns: `false` if it was not stored, for the reason in ``error``.
  @discardableResult
  public func choose(_ choice: HistoryEntry.Choice, of id: HistoryEntry.ID) async -> Bool {
    do {
      try await history.choose(choice, of: id)
      error = nil
      return true
    } catch {
      self.error = AppError(saving: error)
      return false
    }
  }
}
