public import OffshoreFiles
public import OffshorePresentation

/// The settings of the device, and the offer to move to the database.
///
/// Pages change the language by `LanguageSetting`, and the first day of the week by `WeekdaySetting`.
public struct SettingsFeature: Reducer {
  public struct State: Equatable, Sendable {
    package internal(set) var settings = AppSettings()
    /// The numbers of records of the chosen engine.
    package internal(set) var counts = RecordCounts()
    package internal(set) var isMoving = false
    /// The numbers of records that were moved last, and are proven.
    package internal(set) var moved: RecordCounts?
    public internal(set) var error: AppError?

    public init() {}

    /// Whether a move from files to the database is offered.
    package var offersDatabase: Bool { mustMoveToSync && counts.exceedsFiles }

    /// Whether signing in needs a move before, because only the database is synced.
    package var mustMoveToSync: Bool { settings.engine != .database }
  }

  public enum Action: Equatable, Sendable {
    case onAppear
    case settingsLoaded(Result<AppSettings, AppError>)
    case counted(RecordCounts)
    /// Moves all records to an engine.
    case move(StorageEngine)
    case moved(StorageEngine, Result<RecordCounts, AppError>)
  }

  private enum ID: Hashable { case storage }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear: return .merge(load(), count())
    case .settingsLoaded(.success(let settings)): (state.settings, state.error) = (settings, nil)
    case .settingsLoaded(.failure(let error)): state.error = error
    case .counted(let counts): state.counts = counts
    case .move(let engine):
      guard !state.isMoving, engine != state.settings.engine else { return .none }
      (state.isMoving, state.moved, state.error) = (true, nil, nil)
      return move(to: engine)
    case .moved(let engine, .success(let counts)):
      (state.isMoving, state.moved, state.settings.engine) = (false, counts, engine)
    case .moved(_, .failure(let error)): (state.isMoving, state.error) = (false, error)
    }
    return .none
  }

  private func load() -> Effect<Action> {
    .run { send in
      await send(.settingsLoaded(.success(try await DependencyValues.current.settings.load())))
    } failure: { error in
      .settingsLoaded(.failure(error))
    }
    .queued(id: ID.storage)
  }

  /// Counts the records. A failure is that of the features that show them.
  private func count() -> Effect<Action> {
    .run { send in
      guard let counts = try? await DependencyValues.current.settings.count() else { return }
      await send(.counted(counts))
    }
    .queued(id: ID.storage)
  }

  private func move(to engine: StorageEngine) -> Effect<Action> {
    .run { send in
      await send(.moved(engine, .success(try await DependencyValues.current.settings.move(engine))))
    } failure: { error in
      .moved(engine, .failure(error))
    }
    .queued(id: ID.storage)
  }
}
