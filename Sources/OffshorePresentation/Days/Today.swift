public import Foundation
public import Observation
public import OffshoreCalendar

/// The current day, for screens that depend on it.
///
/// The day is updated by ``refresh()``, which each load should call, and at each midnight while
/// ``refreshDaily()`` runs.
@MainActor @Observable
public final class Today {
  /// The day at the last refresh, in the time zone of the device.
  public private(set) var day: CalendarDay
  /// The instants of that day, from midnight to midnight.
  private var interval: Range<Date>

  private let now: @MainActor () -> Date
  private let calendar: @MainActor () -> Calendar
  private let sleep: @MainActor (Duration) async throws -> Void

  /// The longest time between two refreshes. The day is refreshed before midnight, too, because a
  /// clock can be set and a device can change time zones.
  static let longestWait = Duration.seconds(15 * 60)

  /// Creates the current day.
  ///
  /// - Parameters:
  ///   - now: returns the current date.
  ///   - calendar: returns the calendar in whose time zone days begin and end.
  ///   - sleep: waits for a duration, and throws if the task is cancelled.
  public init(
    now: @escaping @MainActor () -> Date, calendar: @escaping @MainActor () -> Calendar,
    sleep: @escaping @MainActor (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    self.calendar = calendar
    self.sleep = sleep
    day = CalendarDay(civilDayOf: now(), in: calendar())
    interval = calendar().day(containing: now())
  }

  /// Updates the day if another one has begun.
  public func refresh() {
    let day = CalendarDay(civilDayOf: now(), in: calendar())
    // Observers are notified of a new day only.
    if day != self.day { self.day = day }
    let interval = calendar().day(containing: now())
    if interval != self.interval { self.interval = interval }
  }

  /// Returns whether an instant lies in the day.
  public func contains(_ moment: Date) -> Bool { interval.contains(moment) }

  /// Refreshes the day at each midnight, until the task is cancelled.
  public func refreshDaily() async {
    while !Task.isCancelled {
      refresh()
      let now = now()
      let rest = Duration.seconds(max(1, calendar().midnight(after: now).timeIntervalSince(now)))
      do { try await sleep(min(rest, Self.longestWait)) } catch { return }
    }
  }

  /// Calls a closure for each new day, until the returned task is cancelled.
  public func onChange(_ changed: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    let first = day
    return Task { [weak self] in
      var last = first
      guard let days = self.map({ today in Observations { [weak today] in today?.day } }) else {
        return
      }
      for await day in days {
        guard let day else { return }
        guard day != last else { continue }
        last = day
        await changed()
      }
    }
  }
}

extension Calendar {
  /// Returns the instants of the day that contains an instant.
  fileprivate func day(containing moment: Date) -> Range<Date> {
    startOfDay(for: moment)..<midnight(after: moment)
  }

  /// Returns the start of the next day. It is 23 or 25 hours after the start of this day if the
  /// clocks change.
  func midnight(after moment: Date) -> Date {
    let start = startOfDay(for: moment)
    // Every calendar can add a day; 24 hours are right unless the clocks change.
    let next = date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
    return startOfDay(for: next)
  }
}
