import Observation
import OffshorePresentation

/// Follows a query that is about the current day, and from midnight on is about the next one.
@MainActor
final class DayLive<Value: Sendable>: Observable {
  private let live: Live<Value>
  private let today: Today
  private var following: Task<Void, Never>?

  /// Takes the day, and what to follow on it.
  init(
    _ today: Today,
    values: @escaping @MainActor (CalendarDay) -> any AsyncSequence<Value, any Error>
  ) {
    self.today = today
    live = Live { values(today.day) }
  }

  deinit { following?.cancel() }

  /// What there is to show.
  var state: ViewState<Value> { live.state }

  /// Why what is shown may be out of date, where it may.
  var refreshError: AppError? { live.refreshError }

  /// Why there is nothing to show, or why it may be out of date.
  var error: AppError? { state.errorValue ?? refreshError }

  /// Starts following, and returns when the first value is there, or why there is none.
  func load() async {
    today.refresh()
    following = following ?? today.onChange { [weak live] in await live?.restart() }
    await live.load()
  }
}
