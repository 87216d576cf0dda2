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
  private let makeValues: @MainActor () -> any AsyncSequence<Value, any Error>
  private let makeState: @MainActor (Value) -> ViewState<Value>

  /// Follows what a closure returns, each time that ``load()`` is called.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  {
    self.init(values) { .loaded($0) }
  }

  /// Follows a collection, which is ``ViewState/empty`` where it has no element.
  public convenience init(_ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>)
  where Value: Collection {
    self.init(values) { ViewState($0) }
  }

  private init(
    _ values: @escaping @MainActor () -> any AsyncSequence<Value, any Error>,
    _ state: @escaping @MainActor (Value) -> ViewState<Value>
  ) {
    makeValues = values
    makeState = state
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
    let values = makeValues()
    following = Task { [weak self] in
      await values.follow { self?.receive($0) }
      self?.receiveEnd()
    }
  }

  // MARK: - What comes

  private func receive(_ result: Result<Value, any Error>) {
    switch (result, state.isKnown) {
    case (.success(let value), _):
      state = makeState(value)
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

  private func letWaitersGo() {
    for waiter in waiting { waiter.finish() }
    waiting = []
  }
}
