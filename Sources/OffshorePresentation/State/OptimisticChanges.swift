import Observation

/// Changes that a screen shows at once while they are being stored.
///
/// ```swift
/// let ticks = OptimisticChanges<UUID, Bool> { item, isChecked in
///   try await repository.save(item, isChecked)
/// }
/// ticks.change(item, to: true)
/// ticks.unsettled[item]  // true, until it is stored or has failed
/// await ticks.settled()
/// ```
///
/// A screen shows the unsettled values in place of the stored ones. So an observed value that
/// arrives meanwhile never reverts a change, and after a failure the stored value becomes visible
/// again.
///
/// Changes of the same key are stored one after the other; of those that arrive while one is being
/// stored, only the last is stored. Changes of different keys are stored concurrently.
@MainActor
final class OptimisticChanges<Key: Hashable & Sendable, Value: Sendable>: Observable {
  /// The requested values that are neither stored nor failed, by key.
  @Observed public private(set) var unsettled: [Key: Value] = [:]

  /// The result of a change.
  enum Outcome: Sendable {
    /// The value is stored.
    case stored
    /// The value could not be stored, and no newer one was requested.
    case failed(any Error)
  }

  private var tasks: [Key: Task<Void, Never>] = [:]
  /// The number of changes of each key, to detect a change during another one.
  private var numbers: [Key: Int] = [:]
  private let persist: @MainActor (Key, Value) async throws -> Void
  private let completion: @MainActor (Key, Value, Outcome) -> Void

  /// Creates an empty set of changes.
  ///
  /// - Parameters:
  ///   - persist: stores a value, and throws if that fails.
  ///   - completion: called before the change leaves ``unsettled``, so that a stored value can
  ///     replace it on screen at the same moment.
  init(
    persist: @escaping @MainActor (Key, Value) async throws -> Void,
    completion: @escaping @MainActor (Key, Value, Outcome) -> Void = { _, _, _ in }
  ) {
    self.persist = persist
    self.completion = completion
  }

  /// Sets the value of a key at once, and starts to store it.
  func change(_ key: Key, to value: Value) {
    unsettled[key] = value
    numbers[key, default: 0] += 1
    guard tasks[key] == nil else { return }
    // NB: The task retains this object, so a requested value is stored even if its screen is
    // closed.
    tasks[key] = Task { await persistNewest(of: key) }
  }

  /// Waits until all changes, including those that arrive meanwhile, are stored or have failed.
  func settled() async {
    while let task = tasks.values.first { await task.value }
  }

  private func persistNewest(of key: Key) async {
    while let value = unsettled[key] {
      let number = numbers[key]
      let outcome = await outcome(of: key, value)
      switch outcome {
      case .stored: completion(key, value, outcome)
      // The failure of an older value is irrelevant once a newer value is requested.
      case .failed: if number == numbers[key] { completion(key, value, outcome) }
      }
      // The callback may have requested another value.
      if number == numbers[key] { unsettled[key] = nil }
    }
    numbers[key] = nil
    tasks[key] = nil
  }

  private func outcome(of key: Key, _ value: Value) async -> Outcome {
    do {
      try await persist(key, value)
      return .stored
    } catch {
      return .failed(error)
    }
  }
}
