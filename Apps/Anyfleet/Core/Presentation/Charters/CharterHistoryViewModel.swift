public import Foundation
public import Observation
public import OffshorePresentation

/// What was decided of a charter where several changed it at the same time.
@MainActor @Observable
public final class CharterHistoryViewModel {
  public let charterID: UUID
  /// Why the last change did not happen, where it did not.
  public private(set) var actionError: AppError?

  private let liveDecisions: Live<[CharterDecision]>
  private let liveCharter: Live<CharterModel?>
  private let repository: any CharterHistoryRepository
  private let access: ScopeAccess
  private let charterStore: CharterStore

  init(
    charterID: UUID, repository: any CharterHistoryRepository, charterStore: CharterStore,
    access: ScopeAccess
  ) {
    self.charterID = charterID
    self.repository = repository
    self.charterStore = charterStore
    self.access = access
    liveDecisions = Live { repository.decisions(charterID: charterID) }
    liveCharter = charterStore.liveCharter(charterID)
  }

  // MARK: - What there is

  /// What was decided, the newest first.
  public var decisions: ViewState<[CharterDecision]> { liveDecisions.state }

  /// The charter, once it is loaded.
  public var charter: CharterModel? { liveCharter.state.data.flatMap(\.self) }

  /// Whether the charter is not there.
  public var isGone: Bool {
    if case .loaded(nil) = liveCharter.state { true } else { false }
  }

  /// Whether the charter may be changed here.
  public var canEdit: Bool { access.canEdit }

  /// Whether a date is of today, so that a time says enough of it.
  public func isToday(_ date: Date) -> Bool { charterStore.today.contains(date) }

  /// Reads all of it, and follows it from then on.
  public func load() async {
    async let decisions: Void = liveDecisions.load()
    async let charter: Void = liveCharter.load()
    async let access: Void = access.load()
    _ = await (decisions, charter, access)
  }

  // MARK: - Changing

  /// Says again what did not stay, in place of what is said now.
  /// - Returns: whether that is so now; if not, ``actionError`` says why.
  @discardableResult
  public func useLost(_ decision: CharterDecision.ID) async -> Bool {
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      try await repository.useLost(decision, charterID: charterID)
      actionError = nil
      return true
    } catch {
      actionError = AppError(saving: error)
      return false
    }
  }
}
