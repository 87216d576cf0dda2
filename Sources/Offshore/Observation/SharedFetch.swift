import Synchronization

/// A fetch for any number of subscribers, which runs again after each commit that changes data it
/// has read.
protocol ObservedFetch: AnyObject, Sendable {
  /// Marks the last result as outdated, because the fetch has to run.
  /// - Parameter cause: The reason, in words.
  func willRun(because cause: String)
  /// Marks the beginning of a run.
  func willStart()
  /// Runs the fetch and stores its result.
  /// - Returns: The data that was read, or `nil` if nothing was read; and the passing error, if
  ///   there was one.
  func run(on connection: Result<Connection, any Error>) -> (Region?, failure: FetchFailure?)
  /// Makes the stored result the latest one.
  /// - Parameter isOutdated: Whether a commit has changed the data meanwhile, so that the fetch
  ///   runs again.
  /// - Returns: A closure that delivers the result to the subscribers. Call it without holding any
  ///   lock.
  func publish(isOutdated: Bool) -> @Sendable () -> Void
  /// Whether the fetch has any subscribers.
  var hasSubscribers: Bool { get }
  /// Ends all subscriptions, because the database was closed.
  func close()
}

/// A passing error, and the number of consecutive fetches that have met one.
struct FetchFailure {
  let error: DatabaseError
  let attempt: Int
}

/// A fetch with its latest value and its subscribers.
final class SharedFetch<Value: Equatable & Sendable>: ObservedFetch {
  private struct State {
    var latest: Value?
    /// The result of the last run, until it becomes the latest one.
    var fetched: (result: Result<Value, any Error>, isNew: Bool)?
    /// Whether a commit may have changed the latest value, or no value exists yet.
    var isOutdated = true
    /// The number of runs begun.
    var runs = 0
    /// The run with the latest result, or 0.
    var latestRun = 0
    var status = ObservationStatus.starting
    var cause = "the first fetch"
    var isClosed = false
    var attempts = 0
    var nextSubscriber = 0
    var subscribers: [Int: Subscriber<Value>] = [:]

    /// The latest value, or the error of the last run, if there is one.
    var latestResult: Result<Value, any Error>? {
      if case .failed(let error) = status { return .failure(error) }
      return latest.map { .success($0) }
    }

    /// Makes a result the latest one.
    mutating func record(_ result: Result<Value, any Error>) {
      switch result {
      case .success(let value):
        status = .current
        attempts = 0
        latest = value
      case .failure(let error):
        status = .failed(error)
        latest = nil
      }
    }

    /// Returns the subscribers to which the latest result is new, or which still await one that is
    /// recent enough.
    mutating func recipients(isNew: Bool) -> [Subscription<Value>] {
      var recipients: [Subscription<Value>] = []
      for (number, subscriber) in subscribers {
        if let awaited = subscriber.awaitedRun {
          guard !isOutdated || awaited <= runs else { continue }
          subscribers[number]?.awaitedRun = nil
        } else if !isNew {
          continue
        }
        if let subscription = subscriber.subscription { recipients.append(subscription) }
      }
      return recipients
    }
  }

  private let fetch: @Sendable (Reader) throws -> Value
  private let state = Mutex(State())

  init(_ fetch: @escaping @Sendable (Reader) throws -> Value) { self.fetch = fetch }

  /// The status of the fetch.
  var status: ObservationStatus { state.withLock { $0.status } }

  /// The reason for the last run.
  var cause: String { state.withLock { $0.cause } }

  // MARK: - Subscribers

  var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

  /// Adds a subscriber, which receives the latest value or error at once if it is not outdated.
  /// - Parameter onEnd: Called when the subscription is released.
  func subscribe(onEnd: @escaping @Sendable () -> Void) -> Subscription<Value> {
    state.withLock { state in
      let number = state.nextSubscriber
      state.nextSubscriber += 1
      let subscription = Subscription<Value>(number) { [weak self] in
        self?.unsubscribe(number)
        onEnd()
      }
      var subscriber = Subscriber(subscription)
      if state.isClosed {
        subscription.end(DatabaseError.closed)
      } else if state.isOutdated {
        subscriber.awaitedRun = state.runs + 1
      } else if let result = state.latestResult {
        subscription.deliver(result, run: state.runs)
      }
      state.subscribers[number] = subscriber
      return subscription
    }
  }

  /// Delivers a value to a subscriber, even if it has not changed: the first one that certainly
  /// contains all commits so far.
  /// - Returns: The number of values and errors that the subscriber received before.
  func deliverAgain(to subscription: Subscription<Value>) -> Int {
    state.withLock { state in
      guard !state.isOutdated, let result = state.latestResult else {
        state.subscribers[subscription.number]?.awaitedRun = state.runs + 1
        return subscription.drop(upTo: state.latestRun)
      }
      let count = subscription.drop(upTo: state.latestRun - 1)
      subscription.deliver(result, run: state.latestRun)
      return count
    }
  }

  private func unsubscribe(_ number: Int) {
    state.withLock { $0.subscribers[number] = nil }
  }

  func close() {
    let subscribers = state.withLock { state in
      state.isClosed = true
      state.status = .failed(DatabaseError.closed)
      state.latest = nil
      return state.subscribers.values.compactMap(\.subscription)
    }
    for subscriber in subscribers { subscriber.end(DatabaseError.closed) }
  }

  // MARK: - Runs

  func willRun(because cause: String) {
    state.withLock { state in
      state.cause = cause
      state.isOutdated = true
    }
  }

  func willStart() { state.withLock { $0.runs += 1 } }

  func run(on connection: Result<Connection, any Error>) -> (Region?, failure: FetchFailure?) {
    switch connection {
    case .failure(let error): return (nil, recordRetry(.unavailable(error)))
    case .success(let connection):
      connection.recordedRegion = Region()
      let result = Result { try connection.read(fetch) }
      let region = connection.recordedRegion
      connection.recordedRegion = nil
      // A fetch that failed before it read anything still depends on its earlier reads.
      if case .failure = result, region == Region() { return (nil, store(result)) }
      return (region, store(result))
    }
  }

  /// Stores a result until it is settled.
  /// - Returns: The passing error, if the same fetch may succeed later.
  private func store(_ result: Result<Value, any Error>) -> FetchFailure? {
    if case .failure(let error as DatabaseError) = result, error.isPassing {
      return recordRetry(error)
    }
    // Compared outside the lock, as there may be many values; only the end of this run changes
    // them.
    let latest = state.withLock { $0.latest }
    let isNew = if case .success(let value) = result { value != latest } else { true }
    state.withLock { $0.fetched = (result, isNew) }
    return nil
  }

  private func recordRetry(_ error: DatabaseError) -> FetchFailure? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.attempts += 1
      state.status = .retrying(error, attempt: state.attempts)
      return FetchFailure(error: error, attempt: state.attempts)
    }
  }

  func publish(isOutdated: Bool) -> @Sendable () -> Void {
    state.withLock { state in
      guard let (result, isNew) = state.fetched, !state.isClosed else { return {} }
      state.fetched = nil
      state.isOutdated = isOutdated
      state.record(result)
      let run = state.runs
      state.latestRun = run
      let recipients = state.recipients(isNew: isNew)
      // Called without the lock, because releasing the last reference to a subscriber acquires it.
      return { for recipient in recipients { recipient.deliver(result, run: run) } }
    }
  }
}

private struct Subscriber<Value: Sendable>: Sendable {
  weak let subscription: Subscription<Value>?
  /// The first run that is recent enough for the subscriber; `nil` once its result was delivered.
  var awaitedRun: Int?
  init(_ subscription: Subscription<Value>) { self.subscription = subscription }
}

extension DatabaseError {
  /// Returns the error of a fetch for which no connection could be opened.
  fileprivate static func unavailable(_ cause: any Error) -> DatabaseError {
    if let error = cause as? DatabaseError { return error }
    var error = DatabaseError(.cannotOpen, "A new connection could not be prepared for reading.")
    error.cause = cause
    return error
  }

  /// Whether the same call may succeed later.
  var isPassing: Bool { [.busy, .interrupted, .inputOutput, .cannotOpen].contains(code) }
}
