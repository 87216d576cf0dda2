import Observation
import Synchronization

/// The parts of a page that do not show the current state any more.
///
/// A store refers to a part at most once, and only if the part read it at its last rendering.
/// Rendering a part again, stopping its observation, and releasing this object remove the part from
/// the stores that it read before. So a store that never changes refers only to parts of open tabs,
/// however many tabs there were.
final class StaleParts: Sendable {
  /// A part that is rendered separately.
  enum Part: Hashable {
    case frame
    case region(String)
  }

  private struct State: Sendable {
    var stale: [Part] = []
    var readings: [Part: PartReading] = [:]
  }

  private let state = Mutex(State())
  private let onFirst: @Sendable () -> Void

  /// Creates an object without stale parts.
  /// - Parameter onFirst: called on any thread when a first part becomes stale.
  init(_ onFirst: @escaping @Sendable () -> Void) { self.onFirst = onFirst }

  deinit { for reading in state.withLock({ $0.readings }).values { reading.end() } }

  /// Runs a closure, and marks the part as stale when state that the closure read changes.
  @MainActor func tracking<Value>(_ part: Part, _ body: () -> Value) -> Value {
    stopObserving(part)
    let reading = PartReading(part, self)
    state.withLock { $0.readings[part] = reading }
    return withObservationTracking {
      reading.begin()
      return body()
    } onChange: {
      reading.staleParts?.end(reading)
    }
  }

  /// Stops observation for the regions that are not shown any more.
  func stopObservingRegions(except shown: Set<String>) {
    let isGone = { (part: Part) in
      if case .region(let id) = part { !shown.contains(id) } else { false }
    }
    for part in state.withLock({ $0.readings.keys.filter(isGone) }) { stopObserving(part) }
  }

  private func stopObserving(_ part: Part) {
    // Outside of the lock, because it calls back.
    state.withLock { $0.readings.removeValue(forKey: part) }?.end()
  }

  /// Returns the stale parts in the order in which they became stale, and marks all parts as
  /// current.
  func removeAll() -> [Part] {
    state.withLock { state in
      defer { state.stale = [] }
      return state.stale
    }
  }

  /// Returns the last reading of a part, or `nil` if state that it read has changed.
  func reading(_ part: Part) -> PartReading? { state.withLock { $0.readings[part] } }

  /// Marks the part as stale, unless it was rendered again in the meantime.
  private func end(_ reading: PartReading) {
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

/// The access of a part to the state that it shows, during one rendering.
///
/// Observation calls back once, at the first change of any property that was read, and stops
/// observing all others then. It has no function to stop earlier. So this object is observed, too,
/// and is changed to stop the observation of the others.
final class PartReading: Observable, Sendable {
  let part: StaleParts.Part
  fileprivate weak let staleParts: StaleParts?
  private let registrar = ObservationRegistrar()

  fileprivate init(_ part: StaleParts.Part, _ staleParts: StaleParts) {
    self.part = part
    self.staleParts = staleParts
  }

  fileprivate func begin() { registrar.access(self, keyPath: \.part) }

  fileprivate func end() { registrar.withMutation(of: self, keyPath: \.part) {} }
}
