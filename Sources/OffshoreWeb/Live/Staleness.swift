import Observation
import Synchronization

/// Which parts of a page no longer show what is true.
///
/// A store knows a part once, if the part read it when it was rendered last: rendering again,
/// forgetting, and releasing this object take the part off the stores that it read before. So a store
/// that never changes knows as many parts as open tabs have, at the most, however many tabs there were.
final class Staleness: Sendable {
  /// A part that is rendered on its own.
  enum Part: Hashable {
    case frame
    case region(String)
  }

  private struct State: Sendable {
    var stale: [Part] = []
    var readings: [Part: Reading] = [:]
  }

  private let state = Mutex(State())
  private let onFirst: @Sendable () -> Void

  /// Nothing is stale.
  /// - Parameter onFirst: Called when a part is the first to become stale, on whichever thread.
  init(_ onFirst: @escaping @Sendable () -> Void) { self.onFirst = onFirst }

  deinit { for reading in state.withLock({ $0.readings }).values { reading.end() } }

  /// Runs a closure; what it reads makes the part stale when it changes.
  @MainActor func tracking<Value>(_ part: Part, _ body: () -> Value) -> Value {
    forget(part)
    let reading = Reading(part, self)
    state.withLock { $0.readings[part] = reading }
    return withObservationTracking {
      reading.begin()
      return body()
    } onChange: {
      reading.staleness?.end(reading)
    }
  }

  /// Follows no more what other regions read, which are not shown any more.
  func forgetRegions(except shown: Set<String>) {
    let isGone = { (part: Part) in
      if case .region(let id) = part { !shown.contains(id) } else { false }
    }
    for part in state.withLock({ $0.readings.keys.filter(isGone) }) { forget(part) }
  }

  private func forget(_ part: Part) {
    // Outside of the lock, because it calls back.
    state.withLock { $0.readings.removeValue(forKey: part) }?.end()
  }

  /// The stale parts in the order in which they became so; none is stale afterwards.
  func take() -> [Part] {
    state.withLock { state in
      defer { state.stale = [] }
      return state.stale
    }
  }

  /// What a part read last, unless that has changed.
  func reading(_ part: Part) -> Reading? { state.withLock { $0.readings[part] } }

  /// Marks the part as stale, unless it was rendered again meanwhile.
  private func end(_ reading: Reading) {
    let isFirst = state.withLock { state in
      guard state.readings[reading.part] === reading else { return false }
      state.readings[reading.part] = nil
      guard !state.stale.contains(reading.part) else { return false }
      state.stale.append(reading.part)
      return state.stale.count == 1
    }
    if isFirst { onFirst() }
  }
}

/// One time that a part read what it shows.
///
/// Observation calls back once, at the first change of anything that was read, and lets go of all the
/// rest then. It has no call to give up earlier, so what is read includes this object, and giving up
/// is changing it.
final class Reading: Observable, Sendable {
  let part: Staleness.Part
  fileprivate weak let staleness: Staleness?
  private let registrar = ObservationRegistrar()

  fileprivate init(_ part: Staleness.Part, _ staleness: Staleness) {
    self.part = part
    self.staleness = staleness
  }

  fileprivate func begin() { registrar.access(self, keyPath: \.part) }

  fileprivate func end() { registrar.withMutation(of: self, keyPath: \.part) {} }
}
