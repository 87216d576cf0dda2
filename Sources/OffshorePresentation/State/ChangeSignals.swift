import Synchronization

/// Signals that a value may have changed, for any number of observers.
///
/// ```swift
/// let signals = ChangeSignals()
/// for await harbors in AsyncStream(loadedAfter: signals.stream(), { try await store.load() }) { … }
/// signals.notify()  // after a change of the store
/// ```
public final class ChangeSignals: Sendable {
  private struct State {
    var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Creates an object without observers.
  public init() {}

  /// Notifies the observers of a change.
  public func notify() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.yield() }
  }

  /// Returns a signal at once, and one after each change. Several that are not consumed yet are one.
  public func stream() -> AsyncStream<Void> {
    let (signals, observer) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.observers[state.lastNumber] = observer
      return state.lastNumber
    }
    observer.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers[number] = nil }
    }
    observer.yield()
    return signals
  }
}

extension AsyncStream<Void> {
  /// Creates a stream of signals: one for each element and error of a sequence. Several that are not
  /// consumed yet are one.
  public init(following values: some AsyncSequence & Sendable) {
    self.init(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        await values.forEachResult { _ in continuation.yield() }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension AsyncStream {
  /// A stream without elements.
  public static var finished: AsyncStream { AsyncStream { $0.finish() } }
}

extension AsyncStream where Element: Equatable & Sendable {
  /// Creates a stream of a value that is loaded after each signal, if it differs from the one before.
  /// A failure to load it is left out.
  public init(
    loadedAfter signals: AsyncStream<Void>,
    _ load: @escaping @Sendable () async throws -> Element
  ) {
    let values = LoadedValues(signals, load)
    self.init { await values.next() }
  }
}

/// The values that are loaded after signals.
private actor LoadedValues<Value: Equatable & Sendable> {
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
