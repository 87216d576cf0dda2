public import Foundation
public import Observation

/// The current day, as all that depends on it follows it.
///
/// It is looked at again whenever something is loaded, and at midnight while somebody runs
/// ``follow()``.
@MainActor @Observable
public final class Today {
  /// The day that it was, where the device was, when that was last looked at.
  public private(set) var day: CalendarDay

  private let now: @MainActor () -> Date
  private let calendar: @MainActor () -> Calendar
  private let sleep: @MainActor (Duration) async throws -> Void

  /// How long to wait at the most before looking again: a clock can be set, and a device can travel.
  static let longestWait = Duration.seconds(15 * 60)

  /// Looks at the day.
  ///
  /// - Parameters:
  ///   - now: the current date.
  ///   - calendar: the calendar by whose time zone a day begins and ends.
  ///   - sleep: waits for a while; throws where it is cancelled.
  public init(
    now: @escaping @MainActor () -> Date, calendar: @escaping @MainActor () -> Calendar,
    sleep: @escaping @MainActor (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    self.calendar = calendar
    self.sleep = sleep
    day = CalendarDay(civilDayOf: now(), in: calendar())
  }

  /// Looks whether another day has begun.
  public func refresh() {
    let day = CalendarDay(civilDayOf: now(), in: calendar())
    // Who observes the day is told of a new one only.
    if day != self.day { self.day = day }
  }

  /// Whether a moment is of the day.
  func contains(_ moment: Date) -> Bool {
    CalendarDay(civilDayOf: moment, in: calendar()) == day
  }

  /// Looks at each midnight, until the task is cancelled.
  public func follow() async {
    while !Task.isCancelled {
      refresh()
      let now = now()
      let rest = Duration.seconds(max(1, calendar().midnight(after: now).timeIntervalSince(now)))
      do { try await sleep(min(rest, Self.longestWait)) } catch { return }
    }
  }

  /// Calls a closure for each new day, until the task is cancelled.
  func onChange(_ changed: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
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
  /// When the next day begins, which is 23 or 25 hours after this one where clocks are changed.
  func midnight(after moment: Date) -> Date {
    let start = startOfDay(for: moment)
    // A calendar that cannot count a day on does not exist; 24 hours are right but where clocks change.
    let next = date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
    return startOfDay(for: next)
  }
}
