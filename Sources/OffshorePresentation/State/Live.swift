public import Observation
import Offshore

/// Observes values over time, such as those of a database query, as the state of a screen.
///
/// ```swift
/// let charters = Live { repository.charters() }
/// await charters.load()
/// charters.state  // .loaded([…]), and from then on the newest
/// ```
///
/// It observes until it is released. After a failure the last value stays on screen, with the error beside it.
@MainActor
public final class Live<Value: Sendable>: Observable {
  /// The state of the value.
  @Observed public private(set) var state = ViewState<Value>.idle {
    didSet {
      isKnown = state.isKnown
      loadError = state.errorValue
    }
  }
  /// Whether there is a value. Unlike ``state``, it stays as it is when another value comes, so that what reads
  /// it alone is not drawn anew then.
  @Observed public private(set) var isKnown = false
  /// Why there is no value, if reading it failed; apart from the value as ``isKnown`` is.
  @Observed public private(set) var loadError: AppError?
  /// Why the value may be out of date, if it may.
  @Observed public private(set) var refreshError: AppError?

  /// The change of the state that a value or an error causes.
  typealias Arrival = Result<ViewState<Value>, any Error>

  private typealias Receive = @MainActor (_ number: Int, Arrival?) -> Void

  /// An observation that has begun.
  private struct Source {
    /// The sequence, if it can be asked for a current value.
    let current: (any CurrentValues)?
    /// Hands on the arrivals until the end, each with its number; `nil` if the state stays.
    let follow: @MainActor (_ receive: Receive) async -> Void
  }

  private let begin: @MainActor () -> Source
  private var source: Source?
  private var following: Task<Void, Never>?
  /// The callers that wait for an arrival after the first so many.
  private var waiting: [(count: Int, caller: AsyncStream<Never>.Continuation)] = []

  /// Observes the sequence that a closure makes, each time that ``load()`` is called.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  {
    self.init(values) { value, _ in value.map { .loaded($0) } }
  }

  /// Observes a collection, which is ``ViewState/empty`` if it has no element.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  where Value: Collection {
    self.init(values) { value, _ in value.map { ViewState($0) } }
  }

  /// Observes a value that may be missing, which is the error `database(.notFound)` then.
  public convenience init(
    required values: @escaping @MainActor () -> any AsyncSequence<Value?, any Error>
  ) {
    self.init(values) { value, _ in
      value.map { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
    }
  }

  /// Observes values that are shown in another form.
  ///
  /// - Parameter arrival: maps a value or an error; `number` counts them from 1. The state stays if it is
  ///   `nil`.
  init<Element>(
    _ values: @escaping @MainActor () -> any AsyncSequence<Element, any Error>,
    arrival: @escaping @MainActor (_ value: Result<Element, any Error>, _ number: Int) -> Arrival?
  ) {
    begin = { () -> Source in
      let values: any AsyncSequence<Element, any Error> = values()
      let current = values as? any CurrentValues
      let follow: @MainActor (_ receive: Receive) async -> Void = { receive in
        var number = 0
        await values.follow { value in
          number += 1
          receive(number, arrival(value, number))
        }
      }
      return Source(current: current, follow: follow)
    }
  }

  deinit {
    following?.cancel()
    for (_, caller) in waiting { caller.finish() }
  }

  /// Begins to observe, anew if it observed already, and returns when the first value or error is there.
  ///
  /// A call while another one waits for that waits with it.
  public func load() async {
    if waiting.isEmpty { follow() }
    await arrival(after: 0)
  }

  /// Begins to observe if it does not yet or has failed, and returns when the value contains every write that
  /// was answered before the call. Several pages can share a value by this: it is read once for all.
  public func loadIfNeeded() async {
    if source != nil, state.errorValue == nil, refreshError == nil {
      await catchUp()
    } else {
      await restart()
    }
  }

  /// Begins to observe as ``load()``, for a page that does not exist without the value.
  /// - Throws: `AppError` with `database(.notFound)` if the value is missing.
  public func loadRequired() async throws {
    await load()
    if state.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Begins to observe anew because the sequence has changed, and returns when its first value or error is
  /// there. Callers that wait for an earlier one get this instead.
  public func restart() async {
    follow()
    await arrival(after: 0)
  }

  /// Waits until the value contains every write that was answered before the call. Nothing is read for that
  /// if the values are those of a database.
  ///
  /// Does nothing if nothing is observed.
  public func catchUp() async {
    guard let source else { return }
    guard let current = source.current else { return await restart() }
    await arrival(after: current.deliverAgain())
  }

  /// Asks for a value that contains every write answered so far.
  /// - Returns: the number of arrivals that may lack them, or `nil` if nothing is observed.
  func deliverAgain() -> Int? { source?.current?.deliverAgain() }

  private func arrival(after count: Int) async {
    let (arrival, caller) = AsyncStream.makeStream(of: Never.self)
    waiting.append((count, caller))
    for await _ in arrival {}
  }

  private func follow() {
    following?.cancel()
    if !state.isKnown { state = .loading }
    let source = begin()
    self.source = source
    // The first value contains all that is stored by now.
    waiting = waiting.map { (0, $0.caller) }
    following = Task { [weak self] in
      await source.follow { self?.receive($0, $1) }
      self?.receiveEnd()
    }
  }

  // MARK: - Arrivals

  /// Shows a value in place of the one that is there.
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
    for (count, caller) in waiting where isDue(count) { caller.finish() }
    waiting.removeAll { isDue($0.count) }
  }
}
