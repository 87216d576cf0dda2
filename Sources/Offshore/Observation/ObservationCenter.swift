import Synchronization

/// The fetches of all observations of a database. They run on its readers after commits that may
/// change their results.
final class ObservationCenter: Sendable {
  /// The query and the type of values by which equal observations share a fetch.
  struct Key: Hashable {
    let sql: SQL
    let type: ObjectIdentifier
  }

  private struct State {
    var schedule = ObservationSchedule()
    var fetches: [Int: any ObservedFetch] = [:]
    var shared: [Key: Int] = [:]
    var nextID = 0
    var readers: ReaderPool?
  }

  private let state = Mutex(State())
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a center without observations.
  /// - Parameter sleep: Waits before a failed fetch is retried.
  init(
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.sleep = sleep
  }

  /// Sets the readers that run the fetches.
  func start(on readers: ReaderPool) { state.withLock { $0.readers = readers } }

  /// Ends all observations with an error of code `closed`.
  func close() {
    let fetches = state.withLock { state in
      state.readers = nil
      return Array(state.fetches.values)
    }
    for fetch in fetches { fetch.close() }
  }

  // MARK: - Subscribers

  /// Subscribes to a fetch.
  /// - Parameters:
  ///   - key: The key of observations that share the fetch, or `nil` for a fetch of its own.
  ///   - fetch: Reads the values.
  func subscribe<Value: Equatable & Sendable>(
    _ key: Key?, _ fetch: @escaping @Sendable (Reader) throws -> Value
  ) -> (SharedFetch<Value>, Subscription<Value>) {
    let (id, isNew, shared, subscription) = state.withLock { state in
      let known = key.flatMap { state.shared[$0] }
      if let id = known, let shared = state.fetches[id] as? SharedFetch<Value> {
        return (id, false, shared, subscribe(to: shared, id, key))
      }
      let shared = SharedFetch(fetch)
      let id = state.nextID
      state.nextID += 1
      state.fetches[id] = shared
      if let key { state.shared[key] = id }
      state.schedule.add(id)
      return (id, true, shared, subscribe(to: shared, id, key))
    }
    if isNew { run(id) }
    return (shared, subscription)
  }

  private func subscribe<Value>(
    to shared: SharedFetch<Value>, _ id: Int, _ key: Key?
  ) -> Subscription<Value> {
    shared.subscribe { [weak self] in self?.removeIfUnused(id, key) }
  }

  private func removeIfUnused(_ id: Int, _ key: Key?) {
    // Released without the lock: its closure may hold the last reference to another observation,
    // which then calls this function, too.
    let removed = state.withLock { state -> (any ObservedFetch)? in
      guard let fetch = state.fetches[id], !fetch.hasSubscribers else { return nil }
      state.schedule.remove(id)
      state.fetches[id] = nil
      if let key, state.shared[key] == id { state.shared[key] = nil }
      return fetch
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: - Fetching

  /// Runs the fetches whose results a commit may have changed. Called on the thread that has made
  /// or noticed the commit.
  func committed(_ changes: ChangeSet) {
    let due = state.withLock { state in
      let due = state.schedule.committed(changes)
      // This precedes the answer to the writer, so a later subscriber does not receive an older
      // value.
      for (id, cause) in due {
        state.fetches[id]?.willRun(because: "commit \(changes.number) changed \(cause)")
      }
      return due
    }
    for (id, _) in due { run(id) }
  }

  private func run(_ id: Int) {
    let (readers, fetch) = state.withLock { ($0.readers, $0.fetches[id]) }
    let isAccepted = readers?.enqueue { [weak self] in self?.fetch(id, on: $0) } ?? false
    if !isAccepted { fetch?.close() }
  }

  /// Runs a fetch on a reader's thread.
  private func fetch(_ id: Int, on connection: Result<Connection, any Error>) {
    let fetch = state.withLock { state -> (any ObservedFetch)? in
      guard state.schedule.start(id), let fetch = state.fetches[id] else { return nil }
      fetch.willStart()
      return fetch
    }
    guard let fetch else { return }
    let (region, failure) = fetch.run(on: connection)
    let (isOutdated, deliver) = state.withLock { state in
      let cause = state.schedule.finish(id, region: region)
      let deliver = fetch.publish(isOutdated: cause != nil)
      if let cause { fetch.willRun(because: "a commit during the fetch changed \(cause)") }
      return (cause != nil, deliver)
    }
    deliver()
    if isOutdated {
      run(id)
    } else if let failure {
      retry(id, fetch, after: failure)
    }
  }

  /// Retries a fetch after a delay: 50 ms after the first failure, doubled after each further one,
  /// 5 s at most.
  private func retry(_ id: Int, _ fetch: any ObservedFetch, after failure: FetchFailure) {
    let delay = Duration.milliseconds(min(5000, 50 << min(failure.attempt - 1, 10)))
    Task { [weak self, sleep] in
      try? await sleep(delay)
      guard let self, self.state.withLock({ $0.schedule.queue(id) }) else { return }
      fetch.willRun(because: "the last fetch failed (\(failure.error.code))")
      self.run(id)
    }
  }
}
