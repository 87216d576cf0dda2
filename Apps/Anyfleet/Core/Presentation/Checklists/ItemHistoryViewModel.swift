public import Foundation
public import Observation
public import OffshorePresentation

/// What was decided of an item where several changed it at the same time.
@MainActor @Observable
public final class ItemHistoryViewModel {
  public let itemID: UUID
  public let checklistID: UUID
  public let charterID: UUID
  /// Why the last change did not happen, where it did not.
  public private(set) var actionError: AppError?

  private let liveDecisions: Live<[ItemDecision]>
  private let liveChecklist: Live<Checklist>
  private let liveCharter: Live<CharterModel?>
  private let repository: any ItemHistoryRepository
  private let access: ScopeAccess
  private let charterStore: CharterStore

  init(
    itemID: UUID, checklistID: UUID, charterID: UUID, repository: any ItemHistoryRepository,
    libraryStore: LibraryStore, charterStore: CharterStore, access: ScopeAccess
  ) {
    self.itemID = itemID
    self.checklistID = checklistID
    self.charterID = charterID
    self.repository = repository
    self.access = access
    self.charterStore = charterStore
    liveDecisions = Live {
      repository.decisions(itemID: itemID, checklistID: checklistID, charterID: charterID)
    }
    liveChecklist = libraryStore.liveChecklist(checklistID, inCharter: charterID)
    liveCharter = charterStore.liveCharter(charterID)
  }

  // MARK: - What there is

  /// What was decided, the newest first.
  public var decisions: ViewState<[ItemDecision]> { liveDecisions.state }

  /// The item, where the checklist has it.
  public var item: ChecklistItem? { liveChecklist.state.data?.items.first { $0.id == itemID } }

  /// The checklist, once it is loaded.
  public var checklist: Checklist? { liveChecklist.state.data }

  /// Whether the charter is not there, or the checklist does not have the item.
  public var isGone: Bool {
    if case .loaded(nil) = liveCharter.state { return true }
    return liveChecklist.state.errorValue != nil || (checklist != nil && item == nil)
  }

  /// Whether the charter may be changed here.
  public var canEdit: Bool { access.canEdit }

  /// Whether a date is of today, so that a time says enough of it.
  public func isToday(_ date: Date) -> Bool { charterStore.today.contains(date) }

  /// Reads all of it, and follows it from then on.
  public func load() async {
    async let decisions: Void = liveDecisions.load()
    async let checklist: Void = liveChecklist.load()
    async let charter: Void = liveCharter.load()
    async let access: Void = access.load()
    _ = await (decisions, checklist, charter, access)
  }

  // MARK: - Changing

  /// Says again what did not stay, in place of what is said now.
  /// - Returns: whether that is so now; if not, ``actionError`` says why.
  @discardableResult
  public func useLost(_ decision: ItemDecision.ID) async -> Bool {
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      try await repository.useLost(
        decision, itemID: itemID, checklistID: checklistID, charterID: charterID)
      actionError = nil
      return true
    } catch {
      actionError = AppError(saving: error)
      return false
    }
  }
}
