import Synchronization

/// A fetch that runs again whenever a commit touches what it read, for any number of subscribers.
protocol ObservedFetch: AnyObject, Sendable {
  /// Notes that the fetch has to run, and why: what it brought last is out of date from then on.
  func willRun(because cause: String)
  /// Notes that the fetch begins to run.
  func willStart()
  /// Runs the fetch and keeps what it brings.
  /// - Returns: what it read, or `nil` where it did not get so far, and whether it met a passing
  ///   obstacle, with how often in a row.
  func run(on connection: Result<Connection, any Error>) -> (Region?, obstacle: FetchObstacle?)
  /// Makes what the fetch has brought the latest.
  /// - Parameter isOutdated: whether a commit changed it meanwhile, so that the fetch runs again.
  /// - Returns: what hands it to the subscribers, to be called without holding any lock.
  func settle(isOutdated: Bool) -> @Sendable () -> Void
  /// Whether anybody wants the values.
  var hasSubscribers: Bool { get }
  /// Tells all subscribers that the database has been closed.
  func close()
}

/// A passing error, and how many fetches in a row have met one.
struct FetchObstacle {
  let error: DatabaseError
  let attempt: Int
}

/// A fetch with its latest value and its subscribers.
final class SharedFetch<Value: Equatable & Sendable>: ObservedFetch {
  private struct State {
    var latest: Value?
    /// What the last run brought, until it is the latest.
    var fetched: (result: Result<Value, any Error>, isNews: Bool)?
    /// Whether a commit may have changed the latest value, or there is none yet.
    var isOutdated = true
    /// The number of runs begun.
    var runs = 0
    /// The run that brought the latest result, or 0.
    var settledRun = 0
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

    /// Makes a result the latest.
    mutating func note(_ result: Result<Value, any Error>) {
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

    /// Those to whom the latest is news, or the first that is new enough for them.
    mutating func recipients(isNews: Bool) -> [Subscription<Value>] {
      var recipients: [Subscription<Value>] = []
      for (number, subscriber) in subscribers {
        if let awaited = subscriber.awaitedRun {
          guard !isOutdated || awaited <= runs else { continue }
          subscribers[number]?.awaitedRun = nil
        } else if !isNews {
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

  /// What the fetch is doing.
  var status: ObservationStatus { state.withLock { $0.status } }

  /// Why the fetch ran last.
  var cause: String { state.withLock { $0.cause } }

  // MARK: - Subscribers

  var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

  /// Adds a subscriber, which gets the latest value or the last failure at once where a run since the
  /// last commit that matters has brought one.
  /// - Parameter onEnd: called when the subscriber is gone.
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

  /// Hands a value to a subscriber though it may be no news: the first one that is certain to contain all
  /// commits so far.
  /// - Returns: how many values and errors the subscriber had before.
  func deliverAgain(to subscription: Subscription<Value>) -> Int {
    state.withLock { state in
      guard !state.isOutdated, let result = state.latestResult else {
        state.subscribers[subscription.number]?.awaitedRun = state.runs + 1
        return subscription.drop(upTo: state.settledRun)
      }
      let count = subscription.drop(upTo: state.settledRun - 1)
      subscription.deliver(result, run: state.settledRun)
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

  func run(on connection: Result<Connection, any Error>) -> (Region?, obstacle: FetchObstacle?) {
    switch connection {
    case .failure(let error): return (nil, noteObstacle(.unavailable(error)))
    case .success(let connection):
      connection.recordedRegion = Region()
      let result = Result { try connection.read(fetch) }
      let region = connection.recordedRegion
      connection.recordedRegion = nil
      // What failed before it read anything is woken by what it read before.
      if case .failure = result, region == Region() { return (nil, note(result)) }
      return (region, note(result))
    }
  }

  /// Keeps a result until it is settled.
  /// - Returns: the obstacle, where the same fetch may well succeed later.
  private func note(_ result: Result<Value, any Error>) -> FetchObstacle? {
    if case .failure(let error as DatabaseError) = result, error.isPassing {
      return noteObstacle(error)
    }
    // Compared outside the lock, as values may be many; nothing but the end of this run changes it.
    let latest = state.withLock { $0.latest }
    let isNews = if case .success(let value) = result { value != latest } else { true }
    state.withLock { $0.fetched = (result, isNews) }
    return nil
  }

  private func noteObstacle(_ error: DatabaseError) -> FetchObstacle? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.attempts += 1
      state.status = .retrying(error, attempt: state.attempts)
      return FetchObstacle(error: error, attempt: state.attempts)
    }
  }

  func settle(isOutdated: Bool) -> @Sendable () -> Void {
    state.withLock { state in
      guard let (result, isNews) = state.fetched, !state.isClosed else { return {} }
      state.fetched = nil
      state.isOutdated = isOutdated
      state.note(result)
      let run = state.runs
      state.settledRun = run
      let recipients = state.recipients(isNews: isNews)
      // Without a lock, because releasing the last reference to a subscriber takes it.
      return { for recipient in recipients { recipient.deliver(result, run: run) } }
    }
  }
}

private struct Subscriber<Value: Sendable>: Sendable {
  weak let subscription: Subscription<Value>?
  /// The first run that is certain to see all commits from before the subscriber came, while it has
  /// had no value yet.
  var awaitedRun: Int?
  init(_ subscription: Subscription<Value>) { self.subscription = subscription }
}

extension DatabaseError {
  /// The error of a fetch for which no connection could be opened.
  fileprivate static func unavailable(_ cause: any Error) -> DatabaseError {
    if let error = cause as? DatabaseError { return error }
    var error = DatabaseError(.cannotOpen, "A new connection could not be prepared for reading.")
    error.cause = cause
    return error
  }

  /// Whether the same call may well succeed later.
  var isPassing: Bool { [.busy, .interrupted, .inputOutput, .cannotOpen].contains(code) }
}
