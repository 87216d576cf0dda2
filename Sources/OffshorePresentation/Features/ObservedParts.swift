import Observation

/// The observed parts of a store's state. A change notifies the observers of the parts that differ.
@MainActor
final class ObservedParts<State> {
  /// The identity of a part: the key paths and ids that lead to it.
  typealias Key = [AnyHashable]

  private struct Part {
    let mark = ObservationMark()
    let differs: (State, State) -> Bool
  }

  /// The parts that were read since their last change. Others have no observers.
  private var parts: [Key: Part] = [:]

  /// Registers that a part is read.
  func registerRead<Value: Equatable>(of key: Key, _ value: @escaping (State) -> Value) {
    let part = parts[key] ?? Part { value($0) != value($1) }
    parts[key] = part
    part.mark.registerRead()
  }

  /// Performs a change, and notifies the observers of the changed parts.
  func change(from old: State, to new: State, _ change: () -> Void) {
    let changed = parts.filter { $0.value.differs(old, new) }
    for key in changed.keys { parts[key] = nil }
    for part in changed.values { part.mark.registerStart() }
    change()
    for part in changed.values { part.mark.registerEnd() }
  }
}
