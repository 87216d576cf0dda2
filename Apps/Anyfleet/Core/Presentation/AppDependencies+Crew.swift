public import Foundation
public import OffshorePresentation
public import OffshoreSync

/// The roles in charters, and the view models of their histories.
extension AppDependencies {
  /// The role of the account in a charter.
  public func makeCharterAccess(_ charterID: UUID) -> ScopeAccess {
    sync.access(to: charterID, of: AppSchema.charterKind)
  }

  /// What was decided of an item.
  public func makeItemHistory(
    _ itemID: UUID, checklistID: UUID, charterID: UUID
  ) -> ItemHistoryViewModel {
    ItemHistoryViewModel(
      itemID: itemID, checklistID: checklistID, charterID: charterID,
      repository: itemHistory, libraryStore: libraryStore, charterStore: charterStore,
      access: makeCharterAccess(charterID))
  }

  /// What was decided of a charter.
  public func makeCharterHistory(_ charterID: UUID) -> CharterHistoryViewModel {
    CharterHistoryViewModel(
      charterID: charterID, repository: charterHistory, charterStore: charterStore,
      access: makeCharterAccess(charterID))
  }

  /// The way in which a charter ended that is not here any more, or `nil` if nothing is known of it.
  /// - Throws: `DatabaseError`.
  public func end(ofCharter id: UUID) async throws -> ScopeEnd? {
    try await database.store.end(of: AppSchema.scope(ofCharter: id))
  }
}
