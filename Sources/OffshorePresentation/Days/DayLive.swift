public import Observation
public import OffshoreCalendar

/// Follows a query about the current day, and from midnight on the same query about the next day.
///
/// It has the interface of ``Live``.
@MainActor
public final class DayLive<Value: Sendable>: Observable {
  private let live: Live<Value>
  private let today: Today
  private let begun: BegunDay
  private var following: Task<Void, Never>?

  /// Creates it without a value; see ``load()``.
  ///
  /// - Parameters:
  ///   - today: the current day.
  ///   - values: the values for a day, from the present one on.
  public init(
    _ today: Today,
    values: @escaping @MainActor (CalendarDay) -> any AsyncSequence<Value, any Error>
  ) {
    let begun = BegunDay()
    self.today = today
    self.begun = begun
    live = Live {
      begun.day = today.day
      return values(today.day)
    }
  }

  deinit { following?.cancel() }

  /// The value, or the reason for its absence.
  public var state: ViewState<Value> { live.state }

  /// The error of the last refresh, after which the value may be out of date.
  public var refreshError: AppError? { live.refreshError }

  /// The error of the first load or of the last refresh.
  public var error: AppError? { state.errorValue ?? refreshError }

  /// Starts to follow the query, and returns when the first value or an error is present.
  public func load() async {
    followDays()
    await live.load()
  }

  /// Starts to follow the query if it is not followed yet, has failed, or another day has begun; see
  /// ``Live/loadIfNeeded()``.
  public func loadIfNeeded() async {
    followDays()
    if begun.day == today.day { await live.loadIfNeeded() } else { await live.restart() }
  }

  private func followDays() {
    today.refresh()
    following = following ?? today.onChange { [weak live] in await live?.restart() }
  }
}

/// The day of the query that is followed.
@MainActor
private final class BegunDay {
  var day: CalendarDay?
}
