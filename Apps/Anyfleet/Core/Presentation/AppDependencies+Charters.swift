public import Foundation
public import OffshorePresentation
public import OffshoreSync

/// The view models of charters and of the first page.
extension AppDependencies {
  /// What somebody sees first.
  public func makeHome() -> HomeViewModel {
    HomeViewModel(store: charterStore, unfinished: unfinishedChecklists)
  }

  /// The list of charters.
  public func makeCharterList(
    filter: CharterListFilter = .all, searchText: String = "", after start: UUID? = nil
  ) -> CharterListViewModel {
    CharterListViewModel(
      store: charterStore, filter: filter, searchText: searchText, after: start)
  }

  /// Begins to enter a charter, under the id that its form was given before, if it was.
  public func makeCreateCharter(
    charterID: UUID? = nil, saved: @escaping @MainActor (CharterFormState) -> Void = { _ in }
  ) -> CreateCharterViewModel {
    CreateCharterViewModel(
      store: charterStore, charterID: charterID, library: libraryStore,
      language: language.language, saved: saved)
  }

  /// Begins to edit a charter.
  public func makeDraft(ofCharter id: UUID) -> Draft<CharterFormState> {
    charterStore.draft(of: id, in: language.language)
  }

  /// One charter with its checklists.
  public func makeCharterDetail(_ charterID: UUID) -> CharterDetailViewModel {
    CharterDetailViewModel(
      charterID: charterID, charterStore: charterStore, libraryStore: libraryStore,
      checklistRepository: libraryRepository, executionRepository: executionRepository,
      clearedExecutions: clearedExecutions, access: makeCharterAccess(charterID),
      history: makeCharterHistory(charterID))
  }

  /// The role of the account in a charter.
  public func makeCharterAccess(_ charterID: UUID) -> ScopeAccess {
    sync.access(to: charterID, of: AppSchema.charterKind)
  }

  /// The way in which a charter ended that is not here any more, or `nil` if nothing is known of it.
  /// - Throws: `DatabaseError`.
  public func end(ofCharter id: UUID) async throws -> ScopeEnd? {
    try await database.store.end(of: AppSchema.scope(ofCharter: id))
  }

  /// A charter that may be on the server alone.
  public func makeArrivingCharter(_ charterID: UUID) -> ArrivingCharterViewModel {
    ArrivingCharterViewModel(charterID: charterID, store: charterStore, sleep: sleep)
  }

  /// A charter's report.
  public func makeCharterReport(_ charterID: UUID) -> CharterReportViewModel {
    CharterReportViewModel(
      charterID: charterID, charterStore: charterStore, checklistRepository: libraryRepository,
      executionRepository: executionRepository)
  }
}
