import OffshorePresentation
import Synchronization

/// The observers of a repository in memory.
final class ChangeCenter: Sendable {
  private struct State {
    var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Notifies the observers that a value may have changed.
  func notify() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.yield() }
  }

  /// Returns a function that runs another one, and notifies the observers after its success.
  func notifying<Value: Sendable>(
    _ change: @escaping PersistenceClient.Change<Value>
  ) -> PersistenceClient.Change<Value> {
    { [self] value in
      try await change(value)
      notify()
    }
  }

  /// Observes a value: the current one, and each that differs after a signal. A failure to load it is left out.
  /// - Parameter signals: The signals of a repository; by default those of this object.
  func values<Value: Equatable & Sendable>(
    _ signals: AsyncStream<Void>?, _ load: @escaping @Sendable () async throws -> Value
  ) -> AsyncStream<Value> {
    let values = ObservedLoad(signals ?? makeSignals(), load)
    return AsyncStream { await values.next() }
  }

  /// Returns a signal at once, and after each change.
  func makeSignals() -> AsyncStream<Void> {
    let (signals, observer) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.observers[state.lastNumber] = observer
      return state.lastNumber
    }
    observer.onTermination = { [weak self] _ in self?.remove(number) }
    observer.yield()
    return signals
  }

  private func remove(_ number: Int) { state.withLock { $0.observers[number] = nil } }
}

/// The values that are loaded after signals.
private actor ObservedLoad<Value: Equatable & Sendable> {
  private let signals: AsyncStream<Void>
  private let load: @Sendable () async throws -> Value
  private var last: Value?

  init(_ signals: AsyncStream<Void>, _ load: @escaping @Sendable () async throws -> Value) {
    (self.signals, self.load) = (signals, load)
  }

  func next() async -> Value? {
    for await _ in signals {
      guard let value = try? await load(), value != last else { continue }
      last = value
      return value
    }
    return nil
  }
}

extension AsyncStream<Void> {
  /// Creates a stream of signals: one for each element and error of a sequence. Several that are not consumed yet
  /// are one.
  init<Values: AsyncSequence & Sendable>(following values: Values) {
    self.init(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        await values.forEachResult { _ in continuation.yield() }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
