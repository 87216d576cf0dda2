import Foundation
import OffshoreCalendar
import TestSupport
import Testing

@testable import ShiftScheduler

/// The hours of shifts, over midnight and when the clocks change.
struct ShiftDurationTests {
  private static let night = ShiftDuration.scheduled(from: time(22), to: time(6))

  @Test func `The standard shift lasts from 9 to 17`() throws {
    #expect(ShiftDuration.standard == .scheduled(from: time(9), to: time(17)))
    #expect(ShiftDuration.standard.hours(on: .june, in: .utc) == 8)
  }

  @Test func `A whole day has no hours`() {
    #expect(ShiftDuration.allDay.hours(on: .june, in: .utc) == 0)
  }

  @Test func `An end at or before the start is on the next day`() {
    #expect(Self.night.hours(on: .june, in: .utc) == 8)
    #expect(ShiftDuration.scheduled(from: time(7), to: time(7)).hours(on: .june, in: .utc) == 24)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2027-03-27", 7.0), ("Europe/Berlin", "2027-10-30", 9.0),
    ("America/New_York", "2027-03-13", 7.0), ("America/New_York", "2027-11-06", 9.0),
    ("Australia/Lord_Howe", "2027-10-02", 7.5), ("Australia/Lord_Howe", "2027-04-03", 8.5),
    ("Europe/Berlin", "2027-06-01", 8.0),
  ])
  func `A night in which the clocks change is shorter or longer`(
    _ zone: String, _ text: String, _ hours: Double
  ) throws {
    let calendar = try Calendar.gregorian(in: zone)
    #expect(Self.night.hours(on: try day(text), in: calendar) == hours)
  }

  @Test func `A skipped time is the next one, and of one shown twice it is the first`() throws {
    let berlin = try Calendar.gregorian(in: "Europe/Berlin")
    let skipped = ShiftDuration.scheduled(from: time(2, 30), to: time(4))
    #expect(skipped.hours(on: try day("2027-03-28"), in: berlin) == 1)
    let twice = ShiftDuration.scheduled(from: time(2, 30), to: time(4))
    #expect(twice.hours(on: try day("2027-10-31"), in: berlin) == 2.5)
  }

  @Test func `A whole day is as long as the day`() throws {
    let berlin = try Calendar.gregorian(in: "Europe/Berlin")
    let interval = ShiftDuration.allDay.interval(on: try day("2027-03-28"), in: berlin)
    #expect(interval.upperBound.timeIntervalSince(interval.lowerBound) == 23 * 3600)
  }
}
