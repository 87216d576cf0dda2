public import Observation
public import Offshore
public import OffshoreSync

/// An observation of values over time, such as those of a database query, as a screen's state.
///
/// ```swift
/// let charters = Live { repository.charters() }
/// await charters.load()
/// charters.state  // .loaded([…]), and updated from then on
/// ```
///
/// The observation ends when the object is deallocated. After a failed refresh, the last value
/// stays, and ``refreshError`` has the error.
@MainActor
public final class Live<Value: Sendable>: Observable {
  /// The state of the value.
  @Observed public private(set) var state = ViewState<Value>.idle {
    didSet {
      isKnown = state.isKnown
      loadError = state.errorValue
    }
  }
  /// Whether there is a value. It does not change with each new value, so a view that reads this in
  /// place of ``state`` is not updated each time.
  @Observed public private(set) var isKnown = false
  /// The error of the latest read, if there is no value to show. Like ``isKnown``, it does not
  /// change with each new value.
  @Observed public private(set) var loadError: AppError?
  /// The error of the latest refresh, if it failed. The value may then be out of date.
  @Observed public private(set) var refreshError: AppError?

  /// The new state, or the error of a refresh.
  typealias Arrival = Result<ViewState<Value>, any Error>

  private typealias Receive = @MainActor (_ number: Int, Arrival?) -> Void

  /// A started observation.
  private struct Source {
    /// The sequence, if it can deliver its current value again.
    let current: (any CurrentValues)?
    /// Passes on all arrivals until the end, each with its number. An arrival is `nil` if the state
    /// does not change.
    let deliver: @MainActor (_ receive: Receive) async -> Void
  }

  private let makeSource: @MainActor () -> Source
  private var source: Source?
  private var observation: Task<Void, Never>?
  /// The suspended callers, each with the number of arrivals that do not resume it.
  private var waiters: [(count: Int, caller: AsyncStream<Never>.Continuation)] = []

  /// Creates an observation of the sequence that a closure returns, called at each ``load()``.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  {
    self.init(values) { value, _ in value.map { .loaded($0) } }
  }

  /// Creates an observation of a collection. The state is ``ViewState/empty`` if it has no
  /// elements.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  where Value: Collection {
    self.init(values) { value, _ in value.map { ViewState($0) } }
  }

  /// Creates an observation of an optional value. `nil` becomes the error `database(.notFound)`.
  public convenience init(
    required values: @escaping @MainActor () -> any AsyncSequence<Value?, any Error>
  ) {
    self.init(values) { value, _ in
      value.map { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
    }
  }

  /// Creates an observation that maps values to states.
  ///
  /// - Parameter arrival: maps a value or an error, numbered from 1; `nil` leaves the state
  ///   unchanged.
  init<Element>(
    _ values: @escaping @MainActor () -> any AsyncSequence<Element, any Error>,
    arrival: @escaping @MainActor (_ value: Result<Element, any Error>, _ number: Int) -> Arrival?
  ) {
    makeSource = { () -> Source in
      let values: any AsyncSequence<Element, any Error> = values()
      let current = values as? any CurrentValues
      let deliver: @MainActor (_ receive: Receive) async -> Void = { receive in
        var number = 0
        await values.forEachResult { value in
          number += 1
          receive(number, arrival(value, number))
        }
      }
      return Source(current: current, deliver: deliver)
    }
  }

  deinit {
    observation?.cancel()
    for (_, caller) in waiters { caller.finish() }
  }

  /// Starts or restarts the observation, and returns when the first value or error has arrived.
  ///
  /// A call during another one joins it.
  public func load() async {
    if waiters.isEmpty { observe() }
    await waitForArrival(after: 0)
  }

  /// Starts the observation if it is not running or has failed, and returns when the value contains
  /// every write that completed before the call.
  ///
  /// Pages that share an observation call this, so that the value is read once for all of them.
  public func loadIfNeeded() async {
    if source != nil, state.errorValue == nil, refreshError == nil {
      await catchUp()
    } else {
      await restart()
    }
  }

  /// Starts the observation like ``load()``, for a page that cannot exist without the value.
  /// - Throws: `AppError` with `database(.notFound)` if the value is missing.
  public func loadRequired() async throws {
    await load()
    if state.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Restarts the observation with a new sequence, and returns when its first value or error has
  /// arrived. Calls that wait for a value of the former sequence return then, too.
  func restart() async {
    observe()
    await waitForArrival(after: 0)
  }

  /// Waits until the value contains every write that completed before the call. A database's values
  /// need no additional read for that.
  ///
  /// Returns at once if the observation is not running.
  public func catchUp() async {
    guard let source else { return }
    guard let current = source.current else { return await restart() }
    await waitForArrival(after: current.deliverAgain())
  }

  /// Requests a value that contains every write completed so far.
  /// - Returns: the number of arrivals that may lack those writes, or `nil` if the observation is
  ///   not running or cannot deliver a value again.
  func deliverAgain() -> Int? { source?.current?.deliverAgain() }

  private func waitForArrival(after count: Int) async {
    let (arrival, caller) = AsyncStream.makeStream(of: Never.self)
    waiters.append((count, caller))
    for await _ in arrival {}
  }

  private func observe() {
    observation?.cancel()
    if !state.isKnown { state = .loading }
    let source = makeSource()
    self.source = source
    // The first value will contain all writes completed so far.
    waiters = waiters.map { (0, $0.caller) }
    observation = Task { [weak self] in
      await source.deliver { self?.receive($0, $1) }
      self?.receiveEnd()
    }
  }

  // MARK: - Arrivals

  /// Replaces the current value.
  func show(_ value: Value) { state = .loaded(value) }

  private func receive(_ number: Int, _ arrival: Arrival?) {
    switch (arrival, state.isKnown) {
    case (.success(let state), _):
      self.state = state
      refreshError = nil
    case (.failure(let error), true): refreshError = error.asAppError
    case (.failure(let error), false): state = .error(error.asAppError)
    case (nil, _): break
    }
    resumeCallers { $0 < number }
  }

  private func receiveEnd() {
    guard !Task.isCancelled else { return }
    source = nil
    if state.isLoading { state = .idle }
    resumeCallers { _ in true }
  }

  private func resumeCallers(_ isDue: (_ count: Int) -> Bool) {
    for (count, caller) in waiters where isDue(count) { caller.finish() }
    waiters.removeAll { isDue($0.count) }
  }
}

extension Live {
  /// Creates an observation of the results of a query, a join or a selection.
  public convenience init<Results: Fetchable>(_ results: Results, in store: SyncedStore)
  where Value == [Results.Element], Results.Element: Equatable {
    self.init { store.values(of: results) }
  }
}

extension Live where Value: Record & Equatable {
  /// Creates an observation of a single row. Its state is the error `database(.notFound)` while the
  /// row is missing.
  public convenience init(required row: Query<Value>, in store: SyncedStore) {
    self.init(required: { store.values { try row.first($0) } })
  }
}

extension ReadableRows {
  /// The rows as the state of a screen. A list with unreadable rows does not count as empty.
  public var state: ViewState<[Row]> {
    rows.isEmpty && unreadable.isEmpty ? .empty : .loaded(rows)
  }
}

extension Live {
  /// Returns the errors of unreadable rows, and of the latest refresh if it failed.
  public func notices<Row>() -> [AppError] where Value == ReadableRows<Row> {
    (state.data?.unreadable.map(\.asAppError) ?? []) + [refreshError].compactMap(\.self)
  }
}

extension Live {
  /// Creates an observation of an optional value. `nil` becomes the error `database(.notFound)`; a
  /// value that is shown already stays.
  public convenience init(
    retainingLast values: @escaping @MainActor () -> any AsyncSequence<Value?, any Error>
  ) {
    self.init { RequiredValues(values: values()) }
  }
}

/// A sequence that throws `database(.notFound)` in place of `nil`, and continues.
private struct RequiredValues<Value: Sendable>: AsyncSequence {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    var values: any AsyncIteratorProtocol<Value?, any Error>

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      guard let value = try await values.next(isolation: actor) else { return nil }
      guard let value else { throw AppError.database(.notFound) }
      return value
    }

    mutating func next() async throws -> Value? { try await next(isolation: nil) }
  }

  let values: any AsyncSequence<Value?, any Error>

  func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }
}
