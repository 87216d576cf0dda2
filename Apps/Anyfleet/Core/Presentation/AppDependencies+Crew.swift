public import Foundation
import OffshorePresentation

/// The view models of sharing charters.
extension AppDependencies {
  private var sharing: CharterSharing {
    CharterSharing(session: session, sync: sync, accounts: sync.accounts, sleep: sleep)
  }

  /// What the account may do with a charter.
  public func makeCharterAccess(_ charterID: UUID) -> CharterAccess {
    CharterAccess(roles, charterID: charterID)
  }

  /// Who has access to a charter.
  public func makeCrew(_ charterID: UUID) -> CrewViewModel {
    CrewViewModel(
      charterID: charterID, charterStore: charterStore, access: makeCharterAccess(charterID),
      sharing: sharing)
  }

  /// Taking part in a charter by a code.
  /// - Parameter patience: how long to wait for the charter before saying that it takes long.
  public func makeJoinCharter(patience: Duration = .seconds(10)) -> JoinCharterViewModel {
    JoinCharterViewModel(sharing: sharing, charterStore: charterStore, patience: patience)
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

  /// How a charter that is not here came to go, or `nil` where nothing is known of it.
  /// - Throws: ``RepositoryError``.
  public func end(ofCharter id: UUID) async throws -> CharterEnd? {
    try await roles.repository.end(ofCharter: id)
  }
}
