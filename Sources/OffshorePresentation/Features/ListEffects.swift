import Synchronization

/// The storage of a list, as closures.
public struct ListStorage<Element: Identifiable & Sendable>: Sendable {
  let load: @Sendable () async throws -> [Element]
  let saveAll: @Sendable ([Element]) async throws -> Void
  let save: @Sendable (Element) async throws -> Void
  let delete: @Sendable (Element.ID) async throws -> Void
  let observe: @Sendable () -> AsyncStream<[Element]>

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - load: loads all elements.
  ///   - saveAll: replaces all elements.
  ///   - save: replaces the element with the same id, or appends it.
  ///   - delete: deletes the element with an id.
  ///   - observe: returns the stored elements, and those after each change.
  public init(
    load: @escaping @Sendable () async throws -> [Element],
    saveAll: @escaping @Sendable ([Element]) async throws -> Void,
    save: @escaping @Sendable (Element) async throws -> Void,
    delete: @escaping @Sendable (Element.ID) async throws -> Void,
    observe: @escaping @Sendable () -> AsyncStream<[Element]>
  ) {
    self.load = load
    self.saveAll = saveAll
    self.save = save
    self.delete = delete
    self.observe = observe
  }
}

/// A save of a list that has failed.
public struct FailedSave<Element: Equatable & Sendable>: Equatable, Sendable {
  /// The elements before the change.
  public var before: [Element]
  /// The elements that were not stored.
  public var attempted: [Element]
  public var error: AppError

  /// Creates a failure.
  public init(before: [Element], attempted: [Element], error: AppError) {
    self.before = before
    self.attempted = attempted
    self.error = error
  }
}

/// The state of a feature with a stored list.
public protocol ListState<Element> {
  associatedtype Element: Identifiable & Equatable & Sendable
  var elements: [Element] { get set }
  var isLoading: Bool { get set }
  /// The error of the latest load or save that has failed.
  var error: AppError? { get set }
}

extension ListState {
  /// Shows the loaded elements, or the error.
  public mutating func receive(_ result: Result<[Element], AppError>) {
    isLoading = false
    switch result {
    case .success(let elements): (self.elements, error) = (elements, nil)
    case .failure(let failure): error = failure
    }
  }

  /// Restores the elements before a save that has failed.
  ///
  /// - Returns: whether the elements have to be loaded, because they have changed meanwhile.
  public mutating func restore(_ save: FailedSave<Element>) -> Bool {
    error = save.error
    guard elements == save.attempted else { return true }
    elements = save.before
    return false
  }

  /// Whether the elements may not be all that are stored, so that they must not replace these.
  fileprivate var isPartial: Bool {
    if case .database(.fileDamaged) = error { true } else { isLoading }
  }
}

/// The effects of a feature with a stored list, which changes at once and is saved afterwards.
///
/// Loads and saves run in their order. A change is saved as the whole list, but as its element alone
/// if the state may not have all stored elements: during a load, after damage, and while the storage
/// is observed, because an observed list may lack a change that is being saved.
///
/// Create one value for each feature: it remembers whether the storage is observed.
public struct ListEffects<Element: Identifiable & Equatable & Sendable, Action: Sendable>: Sendable
{
  private enum ID: Hashable { case storage, observation }

  private let storage: @Sendable () -> ListStorage<Element>
  private let loaded: @Sendable (Result<[Element], AppError>) -> Action
  private let updated: @Sendable ([Element]) -> Action
  private let failed: @Sendable (FailedSave<Element>) -> Action
  private let isObserving = Flag()

  /// Creates the effects of a feature.
  ///
  /// - Parameters:
  ///   - storage: returns the storage of the current dependencies.
  ///   - loaded: creates the action after a load.
  ///   - updated: creates the action for an observed list.
  ///   - failed: creates the action after a save that has failed.
  public init(
    _ storage: @escaping @Sendable () -> ListStorage<Element>,
    loaded: @escaping @Sendable (Result<[Element], AppError>) -> Action,
    updated: @escaping @Sendable ([Element]) -> Action,
    failed: @escaping @Sendable (FailedSave<Element>) -> Action
  ) {
    self.storage = storage
    self.loaded = loaded
    self.updated = updated
    self.failed = failed
  }

  /// Loads the list, unless it is being loaded.
  public func loading(_ state: inout some ListState<Element>) -> Effect<Action> {
    guard !state.isLoading else { return .none }
    state.isLoading = true
    return reloading()
  }

  /// Loads the list.
  public func reloading() -> Effect<Action> {
    .run { send in
      await send(loaded(.success(try await storage().load())))
    } failure: { error in
      loaded(.failure(error))
    }
    .queued(id: ID.storage)
  }

  /// Follows the stored list.
  public func observing() -> Effect<Action> {
    isObserving.set()
    return .run { send in
      for await elements in storage().observe() { await send(updated(elements)) }
    }
    .cancellable(id: ID.observation, cancelInFlight: true)
  }

  /// Replaces the element with the same id, or appends the element.
  public func saving(
    _ element: Element, in state: inout some ListState<Element>
  ) -> Effect<Action> {
    var elements = state.elements
    if let index = elements.firstIndex(where: { $0.id == element.id }) {
      elements[index] = element
    } else {
      elements.append(element)
    }
    return changing(&state, to: elements) { try await $0.save(element) }
  }

  /// Deletes the element with an id.
  public func deleting(
    _ id: Element.ID, in state: inout some ListState<Element>
  ) -> Effect<Action> where Element.ID: Sendable {
    changing(&state, to: state.elements.filter { $0.id != id }) { try await $0.delete(id) }
  }

  private func changing(
    _ state: inout some ListState<Element>, to elements: [Element],
    _ change: @escaping @Sendable (ListStorage<Element>) async throws -> Void
  ) -> Effect<Action> {
    let (before, isSingle) = (state.elements, state.isPartial || isObserving.isSet)
    state.elements = elements
    return .run { _ in
      if isSingle { try await change(storage()) } else { try await storage().saveAll(elements) }
    } failure: { error in
      failed(FailedSave(before: before, attempted: elements, error: AppError(saving: error)))
    }
    .queued(id: ID.storage)
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}
