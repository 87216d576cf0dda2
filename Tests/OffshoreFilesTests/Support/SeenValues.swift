import Observation
import Synchronization

/// The values that an observer has seen, at each change.
final class SeenValues<Value: Sendable>: Sendable {
  private let read: @Sendable () -> Value
  private let seen = Mutex<[Value]>([])

  /// Observes a value from now on.
  init(_ read: @escaping @Sendable () -> Value) {
    self.read = read
    follow()
  }

  var values: [Value] { seen.withLock { $0 } }

  private func follow() {
    let value = withObservationTracking {
      read()
    } onChange: { [weak self] in
      self?.follow()
    }
    seen.withLock { $0.append(value) }
  }
}
