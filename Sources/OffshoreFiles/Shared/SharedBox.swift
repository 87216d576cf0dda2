import Observation
import Synchronization

/// The value at a location, which all objects of the location share.
final class SharedBox<Value: Sendable>: Sendable {
  typealias Change = @Sendable (inout Value) -> Void

  private struct State {
    /// The stored value, as far as it is known, with the changes.
    var value: Value
    /// The changes that are not stored yet, in their order.
    var changes: [Change] = []
    /// The number of changes that are being stored.
    var storingCount = 0
    /// The value that has arrived meanwhile, with or without those changes.
    var arrived: Result<Value?, any Error>?
    var loadError: (any Error)?
    var saveError: (any Error)?

    /// Applies the changes to another stored value.
    mutating func rebase(on stored: Value) {
      value = stored
      for change in changes { change(&value) }
    }
  }

  let saver: SharedSaver
  private let place: any SharedPlace<Value>
  private let defaultValue: Value
  private let pause: @Sendable () async throws -> Void
  private let state: Mutex<State>
  private let mark = SharedMark()
  private let observation = Mutex<Task<any Sendable, Never>?>(nil)

  /// - Parameter pause: Waits for the time in which changes are collected.
  init(
    _ place: any SharedPlace<Value>, _ defaultValue: Value, _ saver: SharedSaver,
    _ pause: @escaping @Sendable () async throws -> Void
  ) {
    self.place = place
    self.defaultValue = defaultValue
    self.saver = saver
    self.pause = pause
    state = Mutex(State(value: defaultValue))
  }

  var value: Value {
    mark.registerRead()
    return state.withLock { $0.value }
  }

  var saveError: (any Error)? {
    mark.registerRead()
    return state.withLock { $0.saveError }
  }

  // MARK: - Loading

  func load() async throws -> Value {
    let (task, isNew) = observation.withLock { observation in
      let isNew = observation == nil
      let task =
        observation ?? Task { [weak self, place] in await place.observe { self?.receive($0) } }
      observation = task
      return (task, isNew)
    }
    _ = await task.value
    if !isNew { await place.check() }
    return try state.withLock { state in
      if let error = state.loadError { throw error }
      return state.value
    }
  }

  /// Receives a stored value, or the error of loading it.
  private func receive(_ result: Result<Value?, any Error>) {
    let isChanged = state.withLock { state in
      guard state.storingCount == 0 else {
        state.arrived = result
        return false
      }
      return accept(result, &state)
    }
    if isChanged { mark.registerChange() }
  }

  /// - Returns: Whether the value has changed.
  private func accept(_ result: Result<Value?, any Error>, _ state: inout State) -> Bool {
    switch result {
    case .success(let stored):
      let former = state.value
      state.loadError = nil
      state.rebase(on: stored ?? defaultValue)
      return !isSame(former, state.value)
    case .failure(let error):
      state.loadError = error
      return false
    }
  }

  // MARK: - Changing

  func change(_ change: @escaping Change) {
    SharedPlaces.locked {
      state.withLock { state in
        change(&state.value)
        state.changes.append(change)
      }
      saver.add(self, after: pause)
    }
    mark.registerChange()
  }
}

extension SharedBox: StorableBox {
  func beginStoring() { state.withLock { $0.storingCount = $0.changes.count } }

  /// The changes that are being stored.
  private var storing: [Change] { state.withLock { Array($0.changes.prefix($0.storingCount)) } }

  func store(in update: FolderUpdate) throws -> @Sendable () -> Void {
    let stored = try place.store(storing, in: update)
    return { self.didStore(stored) }
  }

  func storeAlone() async throws {
    didStore(try await place.store(storing))
    // A later value may have arrived during the storing.
    await place.check()
  }

  private func didStore(_ stored: Value) {
    let isChanged = state.withLock { state in
      let (former, hadFailed) = (state.value, state.saveError != nil)
      state.changes.removeFirst(state.storingCount)
      (state.storingCount, state.arrived) = (0, nil)
      (state.saveError, state.loadError) = (nil, nil)
      state.rebase(on: stored)
      return hadFailed || !isSame(former, state.value)
    }
    if isChanged { mark.registerChange() }
  }

  func didFail(_ error: any Error) {
    state.withLock { state in
      state.storingCount = 0
      state.saveError = error
      if let arrived = state.arrived.take() { _ = accept(arrived, &state) }
    }
    mark.registerChange()
  }
}

/// Returns whether two values are known to be equal.
private func isSame<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  (lhs as? any Equatable)?.isEqual(to: rhs) ?? false
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

/// The observed object that represents the properties of a box.
///
/// NB: In a generic class, each read would create the key path of its property again.
private final class SharedMark: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  /// The represented property. Only its key path is used.
  private var property: Void { () }

  func registerRead() { registrar.access(self, keyPath: \.property) }

  func registerChange() { registrar.withMutation(of: self, keyPath: \.property) {} }
}
