import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct DayLiveTests {
  private struct Unreadable: Error {}

  private let clock: Clock
  private let today: Today

  init() throws {
    let clock = try Clock("2026-06-06")
    self.clock = clock
    today = Today(now: { clock.now }, calendar: { .utc })
  }

  /// The day of a query, as the only value.
  private static func values(_ day: CalendarDay) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { $0.yield(day.description) }
  }

  @Test func `The value is that of the current day`() async {
    let live = DayLive(today, values: Self.values)
    #expect(live.state.data == nil)
    await live.load()
    #expect(live.state.data == "2026-06-06")
    #expect(live.error == nil)
  }

  @Test func `The value is that of the next day when it begins`() async {
    let live = DayLive(today, values: Self.values)
    await live.load()
    clock.now = clock.now.addingTimeInterval(86_400)
    today.refresh()
    await waitUntil { live.state.data == "2026-06-07" }
  }

  @Test func `A load refreshes the day`() async {
    let live = DayLive(today, values: Self.values)
    clock.now = clock.now.addingTimeInterval(86_400)
    await live.load()
    #expect(live.state.data == "2026-06-07")
    #expect(today.day.description == "2026-06-07")
  }

  @Test func `Loading if needed starts again on another day`() async throws {
    let database = try Database.temporary()
    var days: [String] = []
    let live = DayLive(today) { day in
      days.append(day.description)
      return database.values { _ in day.description }
    }
    await live.loadIfNeeded()
    await live.loadIfNeeded()
    #expect(days == ["2026-06-06"])
    clock.now = clock.now.addingTimeInterval(86_400)
    await live.loadIfNeeded()
    #expect(live.state.data == "2026-06-07")
  }

  @Test func `An error of the first load is the state`() async {
    let live = DayLive<String>(today) { _ in
      AsyncThrowingStream { $0.finish(throwing: Unreadable()) }
    }
    await live.load()
    #expect(live.state.errorValue != nil)
    #expect(live.error == live.state.errorValue)
    #expect(live.refreshError == nil)
  }

  @Test func `The value is released while it observes`() async {
    weak var released: DayLive<String>?
    do {
      let live = DayLive(today, values: Self.values)
      await live.load()
      released = live
    }
    #expect(released == nil)
  }
}
