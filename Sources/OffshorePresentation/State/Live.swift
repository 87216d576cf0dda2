public import Observation

/// Follows values over time, such as a database query's, as the state of a screen.
///
/// ```swift
/// let charters = Live { repository.charters() }
/// await charters.load()
/// charters.state  // .loaded([…]), and from then on the newest
/// ```
///
/// It follows until it is released. A failure keeps on screen what is there and shows beside it.
@MainActor
public final class Live<Value: Sendable>: Observable {
  /// What there is to show.
  @Observed public private(set) var state = ViewState<Value>.idle
  /// Why the values shown may be out of date, where they may.
  @Observed public private(set) var refreshError: AppError?

  private var following: Task<Void, Never>?
  /// Those who wait for the first value, or for why there is none.
  private var waiting: [AsyncStream<Never>.Continuation] = []
  /// Hands on the states of the values that are followed, until the end.
  private let states: @MainActor (_ receive: @MainActor (Arrival) -> Void) async -> Void
  typealias Arrival = Result<ViewState<Value>, any Error>

  /// Follows what a closure returns, each time that ``load()`` is called.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  {
    self.init(states: { receive in await values().follow { receive($0.map { .loaded($0) }) } })
  }

  /// Follows a collection, which is ``ViewState/empty`` where it has no element.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  where Value: Collection {
    self.init(states: { receive in await values().follow { receive($0.map { ViewState($0) }) } })
  }

  /// Follows a value that may be missing, which is the error `database(.notFound)` then.
  public convenience init(
    required values: @escaping @MainActor () -> any AsyncSequence<Value?, any Error>
  ) {
    self.init(states: { receive in
      await values().follow { value in
        receive(value.map { $0.map { .loaded($0) } ?? .error(.database(.notFound)) })
      }
    })
  }

  init(
    states: @escaping @MainActor (_ receive: @MainActor (Arrival) -> Void) async -> Void
  ) {
    self.states = states
  }

  deinit { following?.cancel() }

  /// Starts following, anew where it followed already, and returns when the first value is there, or
  /// why there is none.
  ///
  /// A call while another one waits for that waits with it.
  public func load() async {
    if waiting.isEmpty { follow() }
    await arrival()
  }

  /// Starts following as ``load()``, for a page that does not exist without the value.
  /// - Throws: `AppError` with `database(.notFound)` if the value is missing.
  public func loadRequired() async throws {
    await load()
    if state.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Starts following anew because what to follow has changed, and returns when its first value is
  /// there, or why there is none. Those who wait for an earlier one get this instead.
  public func restart() async {
    follow()
    await arrival()
  }

  private func arrival() async {
    let (arrival, waiter) = AsyncStream.makeStream(of: Never.self)
    waiting.append(waiter)
    for await _ in arrival {}
  }

  private func follow() {
    following?.cancel()
    if !state.isKnown { state = .loading }
    following = Task { [weak self, states] in
      await states { self?.receive($0) }
      self?.receiveEnd()
    }
  }

  // MARK: - What comes

  /// Shows a value in place of the one that is there.
  func show(_ value: Value) { state = .loaded(value) }

  private func receive(_ result: Arrival) {
    switch (result, state.isKnown) {
    case (.success(let state), _):
      self.state = state
      refreshError = nil
    case (.failure(let error), true): refreshError = error.asAppError
    case (.failure(let error), false): state = .error(error.asAppError)
    }
    letWaitersGo()
  }

  private func receiveEnd() {
    guard !Task.isCancelled else { return }
    if state.isLoading { state = .idle }
    letWaitersGo()
  }

  func letWaitersGo() {
    for waiter in waiting { waiter.finish() }
    waiting = []
  }
}
