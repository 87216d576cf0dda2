public import Foundation
public import OffshorePresentation

/// The log of all changes, of which the latest can be undone and redone.
///
/// A change is undone only if its records are as it left them. Otherwise, nothing is changed, and the state has
/// the differences.
public struct ChangeLogFeature: Reducer {
  public struct State: Equatable, Sendable {
    /// The changes, the oldest first.
    public internal(set) var changes: [ScheduleChange] = []
    public internal(set) var isLoading = false
    public internal(set) var error: AppError?
    /// The reason why the last undo or redo was not made: for each record that differs, the value that was
    /// expected before, and the stored one after.
    public internal(set) var refusal: EditRefusal?

    public init() {}

    package var history: UndoHistory { UndoHistory(changes) }
  }

  public enum Action: Equatable, Sendable {
    case onAppear
    case changesLoaded(Result<[ScheduleChange], AppError>)
    /// Follows the stored changes, until the store is released.
    case startObservingChanges
    case changesUpdated([ScheduleChange])
    /// Reverts the latest change that is not undone.
    case undo
    /// Repeats the latest change that was undone.
    case redo
    /// Reverts any change of the log, as a further change.
    case revert(ScheduleChange.ID)
    case refused(EditRefusal)
    case failed(AppError)
    case dismiss
  }

  private enum ID: Hashable { case storage, observation }

  public init() {}

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
    case .undo: return apply(&state) { $0.history.undoable.last?.inverse }
    case .redo: return apply(&state) { $0.history.redoable.last }
    case .revert(let id): return apply(&state) { $0.first { $0.id == id }?.inverse }
    case .refused(let refusal): state.refusal = refusal
    case .failed(let error): state.error = error
    case .dismiss: (state.refusal, state.error) = (nil, nil)
    }
    return .none
  }

  private func load() -> Effect<Action> {
    .run { send in
      await send(.changesLoaded(.success(try await Self.persistence.loadChanges())))
    } failure: { error in
      .changesLoaded(.failure(error))
    }
    .queued(id: ID.storage)
  }

  private func observe() -> Effect<Action> {
    .run { send in
      for await changes in Self.persistence.observeChanges() {
        await send(.changesUpdated(changes))
      }
    }
    .cancellable(id: ID.observation, cancelInFlight: true)
  }

  /// Makes the change that a closure finds in the latest log, after the changes before.
  private func apply(
    _ state: inout State, _ find: @escaping @Sendable ([ScheduleChange]) -> ScheduleChange?
  ) -> Effect<Action> {
    state.refusal = nil
    return .run { send in
      do {
        guard let change = find(try await Self.persistence.loadChanges()) else { return }
        try await Self.persistence.apply(change.edits)
        await send(.changesUpdated(try await Self.persistence.loadChanges()))
      } catch let refusal as EditRefusal {
        await send(.refused(refusal))
      } catch {
        await send(.failed(AppError(saving: error)))
      }
    }
    .queued(id: ID.storage)
  }

  private static var persistence: PersistenceClient { DependencyValues.current.persistence }
}

extension [ScheduleChange] {
  fileprivate var history: UndoHistory { UndoHistory(self) }
}
