public import Observation

/// Changes that a screen shows at once while they are on their way to the disk.
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
/// The stored values are not kept here: what is unsettled lies over them. So a value that is
/// observed meanwhile never takes a change back, and when a change fails the exact stored value
/// shows again. Changes of one key are persisted one after the other. Of those that came while one
/// was on its way only the last is persisted; changes of different keys go side by side.
@MainActor
public final class OptimisticChanges<Key: Hashable & Sendable, Value: Sendable>: Observable {
  /// What was asked for and is neither stored nor failed, by key.
  @Observed public private(set) var unsettled: [Key: Value] = [:]

  /// How a change ended.
  public enum Outcome: Sendable {
    /// The value is stored.
    case stored
    /// The value could not be stored, and nothing newer was asked for.
    case failed(any Error)
  }

  private var tasks: [Key: Task<Void, Never>] = [:]
  /// Counts the changes of a key, to tell whether one came meanwhile.
  private var numbers: [Key: Int] = [:]
  private let persist: @MainActor (Key, Value) async throws -> Void
  private let ended: @MainActor (Key, Value, Outcome) -> Void

  /// Takes what stores a value, and what to do when a change has ended.
  ///
  /// - Parameters:
  ///   - persist: stores a value; throws where it is not stored.
  ///   - ended: called before the change leaves ``unsettled``, so that a stored value can take its
  ///     place on screen at the same moment.
  public init(
    persist: @escaping @MainActor (Key, Value) async throws -> Void,
    ended: @escaping @MainActor (Key, Value, Outcome) -> Void = { _, _, _ in }
  ) {
    self.persist = persist
    self.ended = ended
  }

  /// Shows a value for a key at once, and begins to store it.
  public func change(_ key: Key, to value: Value) {
    unsettled[key] = value
    numbers[key, default: 0] += 1
    guard tasks[key] == nil else { return }
    // NB: The task keeps this object alive: what was asked for is stored though its screen goes.
    tasks[key] = Task { await persistNewest(of: key) }
  }

  /// Waits until all changes so far, and those that come meanwhile, are stored or have failed.
  public func settled() async {
    while let task = tasks.values.first { await task.value }
  }

  private func persistNewest(of key: Key) async {
    while let value = unsettled[key] {
      let number = numbers[key]
      let outcome = await outcome(of: key, value)
      switch outcome {
      case .stored: ended(key, value, outcome)
      // An older value that failed matters to nobody once a newer one is asked for.
      case .failed: if number == numbers[key] { ended(key, value, outcome) }
      }
      // Who is told may ask for another.
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
