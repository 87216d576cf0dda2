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
@MainActor @Observable
public final class Live<Value: Sendable> {
  /// What there is to show.
  public private(set) var state = ViewState<Value>.idle
  /// Why the values shown may be out of date, where they may.
  public private(set) var refreshError: AppError?

  @ObservationIgnored private var following: Task<Void, Never>?
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

  /// Starts following, anew where it followed already, and returns when the first value is there.
  public func load() async {
    following?.cancel()
    if state.data == nil, !state.isEmpty { state = .loading }
    let (isThere, first) = AsyncStream.makeStream(of: Void.self)
    let values = makeValues()
    following = Task { [weak self] in
      defer { first.finish() }
      var iterator = values.makeAsyncIterator()
      while !Task.isCancelled {
        do {
          guard let value = try await iterator.next(isolation: MainActor.shared) else {
            self?.receiveEnd()
            return
          }
          self?.receive(value)
        } catch {
          self?.receive(error)
        }
        first.finish()
      }
    }
    for await _ in isThere {}
  }

  private func receive(_ value: Value) {
    guard !Task.isCancelled else { return }
    state = makeState(value)
    refreshError = nil
  }

  private func receiveEnd() {
    if !Task.isCancelled, state.isLoading { state = .idle }
  }

  private func receive(_ error: any Error) {
    guard !Task.isCancelled else { return }
    if state.data == nil, !state.isEmpty {
      state = .error(error.asAppError)
    } else {
      refreshError = error.asAppError
    }
  }
}
