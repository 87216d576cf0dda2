import Foundation
public import OffshorePresentation
import Synchronization

/// A save that has failed.
public struct FailedSave<Element: Equatable & Sendable>: Equatable, Sendable {
  /// The records before the change.
  public var before: [Element]
  /// The records that were not stored.
  public var attempted: [Element]
  public var error: AppError

  public init(before: [Element], attempted: [Element], error: AppError) {
    self.before = before
    self.attempted = attempted
    self.error = error
  }
}

/// The state of a feature with the records of one type.
protocol RecordsState<Element> {
  associatedtype Element: ScheduleElement
  var records: [Element] { get set }
  var isLoading: Bool { get set }
  var error: AppError? { get set }
}

extension RecordsState {
  mutating func receive(_ result: Result<[Element], AppError>) {
    isLoading = false
    switch result {
    case .success(let records): (self.records, error) = (records, nil)
    case .failure(let failure): error = failure
    }
  }

  /// Restores the records before a save that has failed.
  /// - Returns: Whether they have to be loaded, because they have changed meanwhile.
  mutating func restore(_ save: FailedSave<Element>) -> Bool {
    error = save.error
    guard records == save.attempted else { return true }
    records = save.before
    return false
  }

  /// Whether the records may not be all that are stored, so that they must not replace these.
  fileprivate var isPartial: Bool {
    if case .database(.fileDamaged) = error { true } else { isLoading }
  }
}

/// The effects of a feature with the records of one type. Those that load and save run in their order.
struct RecordEffects<Element: ScheduleElement, Action: Sendable>: Sendable {
  private enum ID: Hashable { case storage, observation }

  /// Returns the closures of a client for the records.
  let load: @Sendable (PersistenceClient) -> PersistenceClient.Load<[Element]>
  let saveAll: @Sendable (PersistenceClient) -> PersistenceClient.Change<[Element]>
  let save: @Sendable (PersistenceClient) -> PersistenceClient.Change<Element>
  let delete: @Sendable (PersistenceClient) -> PersistenceClient.Change<UUID>
  let observe: @Sendable (PersistenceClient) -> PersistenceClient.Observe<[Element]>
  /// Creates the actions of the effects.
  let loaded: @Sendable (Result<[Element], AppError>) -> Action
  let updated: @Sendable ([Element]) -> Action
  let failed: @Sendable (FailedSave<Element>) -> Action

  /// Whether the records are observed. An observed value may lack a change that is being saved, so the records of
  /// a later state must not replace the stored ones as a whole.
  private let isObserving = Flag()

  func loading() -> Effect<Action> {
    .run { send in
      let result: Result<[Element], AppError>
      do {
        result = .success(try await load(DependencyValues.current.persistence)())
      } catch {
        result = .failure(error.asAppError)
      }
      await send(loaded(result))
    }
    .queued(id: ID.storage)
  }

  func observing() -> Effect<Action> {
    isObserving.set()
    return .run { send in
      for await records in observe(DependencyValues.current.persistence)() {
        await send(updated(records))
      }
    }
    .cancellable(id: ID.observation, cancelInFlight: true)
  }

  /// Replaces the record with the same id, or appends it.
  func saving(_ element: Element, in state: inout some RecordsState<Element>) -> Effect<Action> {
    changing(&state, to: state.records.upserting(element)) { try await save($0)(element) }
  }

  func deleting(_ id: UUID, in state: inout some RecordsState<Element>) -> Effect<Action> {
    changing(&state, to: state.records.filter { $0.id != id }) { try await delete($0)(id) }
  }

  private func changing(
    _ state: inout some RecordsState<Element>, to records: [Element],
    _ change: @escaping @Sendable (PersistenceClient) async throws -> Void
  ) -> Effect<Action> {
    let (before, isSingle) = (state.records, state.isPartial || isObserving.isSet)
    state.records = records
    return .run { _ in
      let persistence = DependencyValues.current.persistence
      if isSingle { try await change(persistence) } else { try await saveAll(persistence)(records) }
    } failure: { error in
      failed(FailedSave(before: before, attempted: records, error: AppError(saving: error)))
    }
    .queued(id: ID.storage)
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}
