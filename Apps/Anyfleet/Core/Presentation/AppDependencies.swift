public import Foundation
import Offshore
public import OffshoreLogging
public import OffshorePresentation
public import OffshoreSync
import OffshoreWire

/// Everything that Anyfleet's screens share, made once.
@MainActor
public final class AppDependencies {
  public let database: AppDatabase
  public let session: Session
  public let language: LanguageSetting
  public let sync: SyncService
  public let charterRepository: any CharterRepository
  public let libraryRepository: any LibraryRepository
  public let executionRepository: any ChecklistExecutionRepository
  public let unfinishedChecklists: any UnfinishedChecklistRepository
  public let charterStore: CharterStore
  public let libraryStore: LibraryStore
  let now: @MainActor () -> Date
  let sleep: @Sendable (Duration) async throws -> Void

  /// The languages of the app, in the order in which they are offered.
  nonisolated public static let languages = [Language.english, .russian]

  /// What an app's surroundings give it: the time, ids, and where logs go.
  public struct Environment: Sendable {
    public var now: @Sendable () -> Date = { Date() }
    public var makeID: @Sendable () -> UUID = { UUID() }
    public var calendar: @Sendable () -> Calendar = { .autoupdatingCurrent }
    public var logger = AppLogger.repository
    /// Receives what fails while syncing.
    public var syncLogger = AppLogger.sync
    /// What to speak until a language is chosen.
    public var preferredLanguage = Language.english
    /// Where the server is that the app syncs with, if there is one.
    public var server: URL?
    /// Waits for a time.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates the surroundings of the real app.
    public init() {}

    /// The surroundings of a database.
    var ofStore: SyncedStore.Environment {
      var environment = SyncedStore.Environment()
      (environment.now, environment.makeID, environment.logger) = (now, makeID, syncLogger)
      return environment
    }
  }

  /// Begins with what a database holds; at the first start with three checklists in the language in use
  /// then.
  ///
  /// - Throws: `DatabaseError` if the database cannot be used.
  public convenience init(
    database: AppDatabase, environment: Environment = Environment()
  ) async throws {
    try await self.init(
      database: database,
      language: .start(
        keptBy: database.store, languages: Self.languages,
        preferring: environment.preferredLanguage, calendar: environment.calendar),
      environment: environment)
  }

  /// Begins with the contents of a database, in a language setting that is there.
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

  /// The real app's dependencies, on the database at a path or on the shared one.
  ///
  /// - Throws: `DatabaseError`, or `SyncError`, if the file cannot be opened.
  public static func live(
    path: String? = nil, environment: Environment = Environment()
  ) async throws -> AppDependencies {
    try await AppDependencies(
      database: path.map { try AppDatabase(path: $0, environment: environment.ofStore) }
        ?? AppDatabase.shared,
      environment: environment)
  }

  /// Dependencies on an empty database of their own, which is removed with them, and without logs.
  ///
  /// - Throws: `DatabaseError` where no temporary folder can be made.
  public static func makeForTesting(
    _ change: (inout Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    var environment = Environment()
    environment.logger = AppLogger(.repository, to: .none)
    environment.syncLogger = AppLogger(.sync, to: .none)
    change(&environment)
    return try await AppDependencies(
      database: .makeEmpty(environment: environment.ofStore), environment: environment)
  }
}

// MARK: - Charters

extension AppDependencies {
  /// The first screen.
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
      access: makeCharterAccess(charterID),
      history: makeCharterHistory(charterID))
  }

  /// The role of the account in a charter.
  public func makeCharterAccess(_ charterID: UUID) -> ScopeAccess {
    sync.access(to: charterID, of: CharterModel.scopeKind)
  }

  /// The way in which a charter ended that is not here any more, or `nil` if nothing is known of it.
  /// - Throws: `DatabaseError`.
  public func end(ofCharter id: UUID) async throws -> ScopeEnd? {
    try await database.store.end(of: ScopeID.charter(id))
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

  /// Running a checklist in a charter.
  public func makeChecklistExecution(
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
  /// Begins to edit a charter's snapshot of a checklist.
  public func makeDraft(ofChecklist id: UUID, inCharter charterID: UUID) -> ChecklistEditorViewModel
  {
    libraryStore.draft(ofChecklist: id, inCharter: charterID, by: session.userID)
  }

  /// The offer of the first checklists in the language in use.
  public func makeSeedOffer() -> SeedOffer {
    SeedOffer(
      database.store, library: libraryStore, session: session, language: language, now: now)
  }

  /// Studying a deck.
  public func makeStudySession(_ deckID: UUID) -> StudySession {
    StudySession(store: libraryStore, deckID: deckID, now: now)
  }

  /// What can be set, and what is to be known of the app.
  public func makeSettings() -> SettingsViewModel {
    SettingsViewModel(language: language, dataPath: database.database.path)
  }
}
