public import OffshoreFiles

/// The storage of a log of changes, as closures.
public struct ChangeLogStorage<Change: LoggedChange>: Sendable {
  let load: @Sendable () async throws -> [Change]
  let apply: @Sendable ([Change.Edit]) async throws -> Void
  let observe: @Sendable () -> AsyncStream<[Change]>

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - load: loads the changes, the oldest first.
  ///   - apply: makes edits, all or none, and logs them. It throws `RefusedEdits` if an element is
  ///     not as an edit found it.
  ///   - observe: returns the stored changes, and those after each later one.
  public init(
    load: @escaping @Sendable () async throws -> [Change],
    apply: @escaping @Sendable ([Change.Edit]) async throws -> Void,
    observe: @escaping @Sendable () -> AsyncStream<[Change]>
  ) {
    self.load = load
    self.apply = apply
    self.observe = observe
  }
}

/// A feature with a log of changes, of which the latest can be undone and redone, and any reverted.
///
/// ```swift
/// UndoFeature<FleetChange> {
///   let fleet = DependencyValues.current.fleet
///   return ChangeLogStorage(load: fleet.loadChanges, apply: fleet.apply, observe: fleet.observeChanges)
/// }
/// ```
///
/// A change is undone only if its elements are as it left them. Otherwise nothing is changed, and the
/// state has the differences.
public struct UndoFeature<Change: LoggedChange>: Reducer {
  /// The log, and the result of the last step.
  public struct State: Equatable, Sendable {
    /// The changes, the oldest first.
    public package(set) var changes: [Change] = []
    /// Whether the changes are being loaded.
    public package(set) var isLoading = false
    /// The error of the latest load or step that has failed.
    public package(set) var error: AppError?
    /// The reason why the last step was not made: for each element that differs, the value that was
    /// expected before, and the stored one after.
    public package(set) var refusal: RefusedEdits<Change.Edit>?

    /// Creates the state of an empty log.
    public init() {}

    /// The steps that can be undone and redone.
    public var history: UndoHistory<Change> { UndoHistory(changes) }
  }

  /// The actions of the user, and the results of effects.
  public enum Action: Equatable, Sendable {
    case onAppear
    case changesLoaded(Result<[Change], AppError>)
    /// Follows the stored changes, until the store is released.
    case startObservingChanges
    case changesUpdated([Change])
    /// Reverts the latest change that is not undone.
    case undo
    /// Repeats the latest change that was undone.
    case redo
    /// Reverts a change if it is still the one that is undone next. Otherwise only the log is loaded.
    case undoChange(Change.ID)
    /// Repeats a change if it is still the one that is redone next. Otherwise only the log is loaded.
    case redoChange(Change.ID)
    /// Reverts any change of the log, as a further change.
    case revert(Change.ID)
    case refused(RefusedEdits<Change.Edit>)
    case failed(AppError)
    /// Removes the error and the differences.
    case dismiss
  }

  private enum ID: Hashable { case storage, observation }

  private let storage: @Sendable () -> ChangeLogStorage<Change>

  /// Creates the feature.
  /// - Parameter storage: returns the storage of the current dependencies.
  public init(_ storage: @escaping @Sendable () -> ChangeLogStorage<Change>) {
    self.storage = storage
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear:
      guard !state.isLoading else { return .none }
      state.isLoading = true
      return load()
    case .changesLoaded(let result):
      state.isLoading = false
      switch result {
      case .success(let changes): (state.changes, state.error) = (changes, nil)
      case .failure(let error): state.error = error
      }
    case .startObservingChanges: return observe()
    case .changesUpdated(let changes): state.changes = changes
    case .undo: return apply(&state) { UndoHistory($0).undoable.last?.inverseEdits }
    case .redo: return apply(&state) { UndoHistory($0).redoable.last?.edits }
    case .undoChange(let id):
      return apply(&state) { changes in
        UndoHistory(changes).undoable.last.flatMap { $0.id == id ? $0.inverseEdits : nil }
      }
    case .redoChange(let id):
      return apply(&state) { changes in
        UndoHistory(changes).redoable.last.flatMap { $0.id == id ? $0.edits : nil }
      }
    case .revert(let id): return apply(&state) { $0.first { $0.id == id }?.inverseEdits }
    case .refused(let refusal): state.refusal = refusal
    case .failed(let error): state.error = error
    case .dismiss: (state.refusal, state.error) = (nil, nil)
    }
    return .none
  }

  private func load() -> Effect<Action> {
    .run { [storage] send in
      await send(.changesLoaded(.success(try await storage().load())))
    } failure: { error in
      .changesLoaded(.failure(error))
    }
    .queued(id: ID.storage)
  }

  private func observe() -> Effect<Action> {
    .run { [storage] send in
      for await changes in storage().observe() { await send(.changesUpdated(changes)) }
    }
    .cancellable(id: ID.observation, cancelInFlight: true)
  }

  /// Makes the edits that a closure finds in the latest log, after the steps before, and loads the log.
  private func apply(
    _ state: inout State, _ find: @escaping @Sendable ([Change]) -> [Change.Edit]?
  ) -> Effect<Action> {
    state.refusal = nil
    return .run { [storage] send in
      do {
        let storage = storage()
        let changes = try await storage.load()
        guard let edits = find(changes) else { return await send(.changesUpdated(changes)) }
        try await storage.apply(edits)
        await send(.changesUpdated(try await storage.load()))
      } catch let refusal as RefusedEdits<Change.Edit> {
        await send(.refused(refusal))
      } catch {
        await send(.failed(AppError(saving: error)))
      }
    }
    .queued(id: ID.storage)
  }
}
