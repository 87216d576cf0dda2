import Foundation
import OffshoreCalendar
import TestSupport
import Testing

@testable import OffshorePresentation

@MainActor @Suite(.timeLimit(.minutes(1)))
struct TodayTests {
  @Test func `The task waits until midnight or for a while, and ends if cancelled`() async throws {
    let clock = try Clock("2026-06-12", minutesAfterNoon: 11 * 60 + 54)
    var waits: [Duration] = []
    let today = Today(
      now: { clock.now }, calendar: { .utc },
      sleep: { duration in
        waits.append(duration)
        guard waits.count < 3 else { throw CancellationError() }
        clock.now = clock.now.addingTimeInterval(Double(duration.components.seconds))
      })
    #expect(today.day == CalendarDay("2026-06-12"))
    await today.refreshDaily()
    #expect(today.day == CalendarDay("2026-06-13"))
    #expect(waits == [.seconds(360), Today.longestWait, Today.longestWait])
  }

  @Test(arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"])
  func `The day is refreshed at midnight in the device's time zone`(_ zone: String) async throws {
    let calendar = try Calendar.gregorian(in: zone)
    let parts = DateComponents(year: 2026, month: 6, day: 12, hour: 23, minute: 54)
    let clock = Clock(try #require(calendar.date(from: parts)))
    var days: [CalendarDay] = []
    var today: Today?
    today = Today(
      now: { clock.now }, calendar: { calendar },
      sleep: { duration in
        days.append(try #require(today).day)
        guard days.count < 2 else { throw CancellationError() }
        #expect(duration == .seconds(360))
        clock.now = clock.now.addingTimeInterval(360)
      })
    await today?.refreshDaily()
    #expect(days == [CalendarDay("2026-06-12"), CalendarDay("2026-06-13")])
  }

  @Test(arguments: [
    ("Europe/Zagreb", "2026-03-29", 23.0), ("Europe/Zagreb", "2026-10-25", 25),
    ("Europe/Zagreb", "2026-03-30", 24), ("Africa/Cairo", "2026-04-24", 23),
  ])
  func `Midnights are 23 or 25 hours apart if clocks change`(
    _ zone: String, _ day: String, _ hours: Double
  ) throws {
    let calendar = try Calendar.gregorian(in: zone)
    let noon = try #require(CalendarDay(day)).noon
    let midnight = calendar.midnight(after: noon)
    #expect(midnight.timeIntervalSince(calendar.startOfDay(for: noon)) / 3600 == hours)
  }

  @Test func `The day contains a moment according to the device's time zone`() throws {
    let clock = try Clock("2026-06-12")
    let tokyo = try Calendar.gregorian(in: "Asia/Tokyo")
    let today = Today(now: { clock.now }, calendar: { tokyo })
    #expect(today.contains(clock.now))
    // 18:00 in UTC is the next day in Tokyo.
    #expect(!today.contains(clock.now.addingTimeInterval(6 * 3600)))
  }

  @Test func `A new day is reported once, and not after a cancellation`() async throws {
    let clock = try Clock("2026-06-06")
    let today = Today(now: { clock.now }, calendar: { .utc })
    var count = 0
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let following = today.onChange {
      count += 1
      change.yield()
    }
    clock.now = clock.now.addingTimeInterval(86_400)
    today.refresh()
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    today.refresh()
    #expect(count == 1)
    following.cancel()
    await following.value
    clock.now = clock.now.addingTimeInterval(86_400)
    today.refresh()
    #expect(count == 1)
  }
}

/// A clock that a test sets.
@MainActor
final class Clock {
  var now: Date

  init(_ now: Date) { self.now = now }

  /// Creates a clock that shows a time of a day in UTC.
  init(_ day: String, minutesAfterNoon minutes: Int = 0) throws {
    now = try #require(CalendarDay(day)).noon.addingTimeInterval(TimeInterval(minutes * 60))
  }
}
