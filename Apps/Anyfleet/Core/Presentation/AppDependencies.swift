package import Foundation
import Offshore
package import OffshoreLogging
package import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// The objects that Anyfleet's screens share.
@MainActor
package final class AppDependencies {
  package let database: AppDatabase
  package let session: Session
  package let language: LanguageSetting
  package let sync: SyncService
  package let charterRepository: any CharterRepository
  package let libraryRepository: any LibraryRepository
  package let executionRepository: any ChecklistExecutionRepository
  package let unfinishedChecklists: any UnfinishedChecklistRepository
  package let charterStore: CharterStore
  package let libraryStore: LibraryStore
  let now: @MainActor () -> Date
  let sleep: @Sendable (Duration) async throws -> Void

  /// The languages of the app, in the order of the choice.
  nonisolated package static let languages = [Language.english, .russian]

  /// The environment of the app: time, ids, logs, language and server.
  package struct Environment: Sendable {
    package var now: @Sendable () -> Date = { Date() }
    package var makeID: @Sendable () -> UUID = { UUID() }
    package var calendar: @Sendable () -> Calendar = { .autoupdatingCurrent }
    package var logger = AppLogger.repository
    /// The logger of syncing failures.
    package var syncLogger = AppLogger.sync
    /// The language until the user chooses one.
    package var preferredLanguage = Language.english
    /// The address of the server to sync with, or `nil`.
    package var server: URL?
    /// Suspends for a duration.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates the live environment.
    package init() {}

    /// The environment of the store.
    var storeEnvironment: SyncedStore.Environment {
      var environment = SyncedStore.Environment()
      (environment.now, environment.makeID, environment.logger) = (now, makeID, syncLogger)
      return environment
    }
  }

  /// Creates the dependencies for a database. At the first start, seeds three checklists in the
  /// current language.
  ///
  /// - Throws: `DatabaseError` if the database cannot be used.
  package convenience init(
    database: AppDatabase, environment: Environment = Environment()
  ) async throws {
    try await self.init(
      database: database,
      language: .start(
        storedBy: database.store, languages: Self.languages,
        preferring: environment.preferredLanguage, calendar: environment.calendar),
      environment: environment)
  }

  /// Creates the dependencies for a database with an existing language setting.
  ///
  /// - Throws: `DatabaseError` if the database cannot be used.
  package init(
    database: AppDatabase, language: LanguageSetting, environment: Environment
  ) async throws {
    let repository = LocalRepository(
      database: database, now: environment.now, logger: environment.logger)
    sync = try await database.store.sync(
      with: environment.server,
      seeds: { [now = environment.now] userID in
        SeedChecklist.all.map { $0.checklist(of: userID, in: language.language, at: now()) }
      }, sleep: environment.sleep)
    session = sync.session
    self.database = database
    self.language = language
    charterRepository = repository
    libraryRepository = repository
    executionRepository = repository
    unfinishedChecklists = repository
    charterStore = CharterStore(
      repository: repository,
      apiClient: sync.client.map { [session] in LiveCharterAPI($0, session: session) },
      syncService: sync, now: environment.now, calendar: environment.calendar,
      makeID: environment.makeID)
    libraryStore = LibraryStore(
      repository: repository, now: environment.now, makeID: environment.makeID)
    now = environment.now
    sleep = environment.sleep
  }

  /// Returns the dependencies of the live app, with the database at a path or the shared one.
  ///
  /// - Throws: `DatabaseError` or `ReplicaError` if the file cannot be opened.
  package static func live(
    path: String? = nil, environment: Environment = Environment()
  ) async throws -> AppDependencies {
    try await AppDependencies(
      database: path.map { try AppDatabase(path: $0, environment: environment.storeEnvironment) }
        ?? AppDatabase.shared,
      environment: environment)
  }

  /// Returns dependencies without logs, with an empty temporary database that is deleted together
  /// with them.
  ///
  /// - Throws: `DatabaseError` if no temporary folder can be created.
  package static func makeForTesting(
    _ change: (inout Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    var environment = Environment()
    environment.logger = AppLogger(.repository, to: .none)
    environment.syncLogger = AppLogger(.sync, to: .none)
    change(&environment)
    return try await AppDependencies(
      database: .makeEmpty(environment: environment.storeEnvironment), environment: environment)
  }
}

// MARK: - Charters

extension AppDependencies {
  /// Creates the model of the first screen.
  package func makeHome() -> HomeViewModel {
    HomeViewModel(store: charterStore, unfinished: unfinishedChecklists)
  }

  /// Creates the model of the list of charters.
  package func makeCharterList(
    filter: CharterListFilter = .all, searchText: String = "", after start: UUID? = nil
  ) -> CharterListViewModel {
    CharterListViewModel(
      store: charterStore, filter: filter, searchText: searchText, after: start)
  }

  /// Creates the model of the form for a new charter.
  /// - Parameter charterID: the id that an earlier page assigned to the form, or `nil`.
  package func makeCreateCharter(
    charterID: UUID? = nil, saved: @escaping @MainActor (CharterFormState) -> Void = { _ in }
  ) -> CreateCharterViewModel {
    CreateCharterViewModel(
      store: charterStore, charterID: charterID, library: libraryStore,
      language: language.language, saved: saved)
  }

  /// Starts to edit a charter.
  package func makeDraft(ofCharter id: UUID) -> Draft<CharterFormState> {
    CharterDrafts(charterStore, in: language.language).draft(of: id)
  }

  /// Creates the model of a charter with its checklists.
  package func makeCharterDetail(_ charterID: UUID) -> CharterDetailViewModel {
    CharterDetailViewModel(
      charterID: charterID, charterStore: charterStore, libraryStore: libraryStore,
      checklistRepository: libraryRepository, executionRepository: executionRepository,
      access: makeCharterAccess(charterID),
      history: makeCharterHistory(charterID))
  }

  /// Returns the live role of the account in a charter.
  package func makeCharterAccess(_ charterID: UUID) -> ScopeAccess {
    sync.access(to: charterID, of: CharterModel.scopeKind)
  }

  /// Creates the model of a charter that may exist on the server only.
  package func makeArrivingCharter(_ charterID: UUID) -> ArrivingCharterViewModel {
    ArrivingCharterViewModel(charterID: charterID, store: charterStore, sleep: sleep)
  }

  /// Creates the model of a charter's report.
  package func makeCharterReport(_ charterID: UUID) -> CharterReportViewModel {
    CharterReportViewModel(
      charterID: charterID, charterStore: charterStore, checklistRepository: libraryRepository,
      executionRepository: executionRepository)
  }

  /// Creates the model that runs a checklist in a charter.
  package func makeChecklistExecution(
    charterID: UUID, checklistID: UUID
  ) -> ChecklistExecutionViewModel {
    ChecklistExecutionViewModel(
      libraryStore: libraryStore, executionRepository: executionRepository, charterID: charterID,
      checklistID: checklistID, charterStore: charterStore, assigns: true,
      access: makeCharterAccess(charterID), store: database.store, now: now,
      userName: { [session] in session.account?.name })
  }
}

// MARK: - Library and settings

extension AppDependencies {
  /// Starts to edit a charter's snapshot of a checklist.
  package func makeDraft(ofChecklist id: UUID, inCharter charterID: UUID)
    -> ChecklistEditorViewModel
  {
    libraryStore.draft(ofChecklist: id, inCharter: charterID, by: session.userID)
  }

  /// Creates the offer of the seeded checklists in the current language.
  package func makeSeedOffer() -> SeedOffer {
    SeedOffer(
      database.store, library: libraryStore, session: session, language: language, now: now)
  }

  /// Creates a session that studies a deck.
  package func makeStudySession(_ deckID: UUID) -> StudySession {
    StudySession(store: libraryStore, deckID: deckID, now: now)
  }

  /// Creates the model of the settings.
  package func makeSettings() -> SettingsViewModel {
    SettingsViewModel(language: language, dataPath: database.database.path)
  }
}
