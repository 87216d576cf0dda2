public import Observation
public import OffshoreCalendar

/// An observation of a query about the current day, which continues with the next day after
/// midnight.
///
/// It has the interface of ``Live``.
@MainActor
public final class DayLive<Value: Sendable>: Observable {
  private let live: Live<Value>
  private let today: Today
  private let observed: ObservedDay
  private var dayChanges: Task<Void, Never>?

  /// Creates an observation without a value. Call ``load()`` to read the first one.
  ///
  /// - Parameters:
  ///   - today: the current day.
  ///   - values: returns the values for a day, starting with the current one.
  public init(
    _ today: Today,
    values: @escaping @MainActor (CalendarDay) -> any AsyncSequence<Value, any Error>
  ) {
    let observed = ObservedDay()
    self.today = today
    self.observed = observed
    live = Live {
      observed.day = today.day
      return values(today.day)
    }
  }

  deinit { dayChanges?.cancel() }

  /// The value, or the reason for its absence.
  public var state: ViewState<Value> { live.state }

  /// The error of the latest refresh, if it failed. The value may then be out of date.
  public var refreshError: AppError? { live.refreshError }

  /// The error of the first load or of the last refresh.
  public var error: AppError? { state.errorValue ?? refreshError }

  /// Starts to observe the query, and returns when the first value or an error has arrived.
  public func load() async {
    observeDays()
    await live.load()
  }

  /// Starts to observe the query if it is not observed yet, has failed, or another day has
  /// observed. See ``Live/loadIfNeeded()``.
  public func loadIfNeeded() async {
    observeDays()
    if observed.day == today.day { await live.loadIfNeeded() } else { await live.restart() }
  }

  private func observeDays() {
    today.refresh()
    dayChanges = dayChanges ?? today.onChange { [weak live] in await live?.restart() }
  }
}

/// The day of the query that is observed.
@MainActor
private final class ObservedDay {
  var day: CalendarDay?
}
