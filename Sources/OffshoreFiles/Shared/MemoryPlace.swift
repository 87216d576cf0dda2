import Synchronization

/// Memory as the place of a shared value.
final class MemoryPlace<Value: Sendable>: SharedPlace {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func observe(
    _ receive: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) -> any Sendable {
    receive(.success(value.withLock { $0 }))
    return 0
  }

  func check() {}

  func store(_ changes: [@Sendable (inout Value) -> Void]) -> Value {
    value.withLock { value in
      for change in changes { change(&value) }
      return value
    }
  }
}
