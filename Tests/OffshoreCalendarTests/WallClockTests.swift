import Foundation
import OffshoreCalendar
import TestSupport
import Testing

/// The instants of times of day, in time zones whose clocks change in unusual ways.
struct WallClockTests {
  /// A time on a day in a zone, and its instant in UTC.
  struct Sample: Sendable, CustomTestStringConvertible {
    let zone: String
    let day: String
    let time: String
    let instant: String

    init(_ zone: String, _ day: String, _ time: String, _ instant: String) {
      (self.zone, self.day, self.time, self.instant) = (zone, day, time, instant)
    }

    var testDescription: String { "\(zone) \(day) \(time)" }
  }

  private static func instant(_ text: String) throws -> Date {
    let parts = text.split(separator: " ").map(String.init)
    let day = try #require(CalendarDay(parts[0]))
    let time = try #require(TimeOfDay(parts[1]))
    return day.start.addingTimeInterval(TimeInterval(time.minutesSinceMidnight * 60))
  }

  private func moment(_ zone: String, _ day: String, _ time: String) throws -> Date {
    try #require(TimeOfDay(time)).moment(
      on: try #require(CalendarDay(day)), in: try .gregorian(in: zone))
  }

  private func hours(
    _ zone: String, _ day: String, _ start: String, _ end: String
  ) throws -> Double {
    try #require(TimeOfDay(start)).hours(
      to: try #require(TimeOfDay(end)), on: try #require(CalendarDay(day)),
      in: try .gregorian(in: zone))
  }

  @Test(arguments: [
    Sample("Europe/Berlin", "2027-03-28", "01:59", "2027-03-28 00:59"),
    Sample("Europe/Berlin", "2027-03-28", "02:00", "2027-03-28 01:00"),
    Sample("Europe/Berlin", "2027-03-28", "02:30", "2027-03-28 01:00"),
    Sample("Europe/Berlin", "2027-03-28", "03:00", "2027-03-28 01:00"),
    Sample("Europe/Berlin", "2027-03-28", "03:01", "2027-03-28 01:01"),
    Sample("America/New_York", "2027-03-14", "02:15", "2027-03-14 07:00"),
    Sample("Australia/Lord_Howe", "2027-10-03", "02:10", "2027-10-02 15:30"),
    Sample("Australia/Lord_Howe", "2027-10-03", "02:40", "2027-10-02 15:40"),
    Sample("America/Havana", "2027-03-14", "00:00", "2027-03-14 05:00"),
    Sample("America/Havana", "2027-03-14", "00:45", "2027-03-14 05:00"),
  ])
  func `A time that the clocks skip is the next one that exists`(_ sample: Sample) throws {
    #expect(
      try moment(sample.zone, sample.day, sample.time) == Self.instant(sample.instant))
  }

  @Test(arguments: [
    Sample("Europe/Berlin", "2027-10-31", "02:00", "2027-10-31 00:00"),
    Sample("Europe/Berlin", "2027-10-31", "02:59", "2027-10-31 00:59"),
    Sample("Europe/Berlin", "2027-10-31", "03:00", "2027-10-31 02:00"),
    Sample("America/New_York", "2027-11-07", "01:30", "2027-11-07 05:30"),
    Sample("Australia/Lord_Howe", "2027-04-04", "01:45", "2027-04-03 14:45"),
    Sample("Australia/Lord_Howe", "2027-04-04", "02:00", "2027-04-03 15:30"),
    Sample("America/Havana", "2027-11-07", "00:30", "2027-11-07 04:30"),
  ])
  func `Of a time that the clocks show twice it is the first`(_ sample: Sample) throws {
    #expect(
      try moment(sample.zone, sample.day, sample.time) == Self.instant(sample.instant))
  }

  @Test(arguments: [
    Sample("Asia/Kolkata", "2027-06-12", "00:00", "2027-06-11 18:30"),
    Sample("Pacific/Kiritimati", "2027-06-12", "23:59", "2027-06-12 09:59"),
    Sample("Pacific/Pago_Pago", "2027-06-12", "23:59", "2027-06-13 10:59"),
    Sample("UTC", "0000-01-01", "00:00", "0000-01-01 00:00"),
    Sample("UTC", "9999-12-31", "23:59", "9999-12-31 23:59"),
  ])
  func `A time is that of the time zone on any day`(_ sample: Sample) throws {
    #expect(
      try moment(sample.zone, sample.day, sample.time) == Self.instant(sample.instant))
  }

  @Test func `Times of a day that a zone has skipped are the start of the next day`() throws {
    // On the Line Islands, the day after 1994-12-30 was 1995-01-01.
    let first = try moment("Pacific/Kiritimati", "1995-01-01", "00:00")
    for time in ["00:00", "12:00", "23:59"] {
      #expect(try moment("Pacific/Kiritimati", "1994-12-31", time) == first)
    }
    #expect(try moment("Pacific/Kiritimati", "1995-01-01", "00:01") == first + 60)
    #expect(try moment("Pacific/Kiritimati", "1994-12-30", "23:59") == first - 60)
  }

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
    "Pacific/Kiritimati", "America/Havana", "Africa/Casablanca", "Asia/Tehran",
  ])
  func `The clocks show the time at its instant, or a later one if they skip it`(
    _ zone: String
  ) throws {
    let calendar = try Calendar.gregorian(in: zone)
    let first = try #require(CalendarDay("2027-01-01"))
    var last = Date.distantPast
    for day in first...(first + 364) {
      for minutes in stride(from: 0, to: 1440, by: 30) {
        let time = TimeOfDay(minutesSinceMidnight: minutes)
        let moment = time.moment(on: day, in: calendar)
        let parts = calendar.dateComponents([.hour, .minute], from: moment)
        let shown = TimeOfDay(hour: parts.hour ?? 0, minute: parts.minute ?? 0)
        #expect(shown >= time && CalendarDay(civilDayOf: moment, in: calendar) == day)
        // A minute earlier, the clocks show another time, and times are in their order.
        let earlier = calendar.dateComponents([.hour, .minute], from: moment - 60)
        #expect(earlier.hour != parts.hour || earlier.minute != parts.minute)
        #expect(moment >= last)
        last = moment
      }
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "2027-06-12"), ("America/Havana", "2027-03-14"),
    ("America/Havana", "2027-11-07"), ("Pacific/Kiritimati", "2027-01-01"),
  ])
  func `A day starts with its first instant, which may not be midnight`(
    _ zone: String, _ text: String
  ) throws {
    let calendar = try Calendar.gregorian(in: zone)
    let day = try #require(CalendarDay(text))
    let start = day.start(in: calendar)
    #expect(CalendarDay(civilDayOf: start, in: calendar) == day)
    #expect(CalendarDay(civilDayOf: start - 1, in: calendar) == day - 1)
  }

  @Test func `The kind of the calendar has no effect`() throws {
    var calendar = Calendar(identifier: .buddhist)
    calendar.timeZone = try Calendar.gregorian(in: "Europe/Berlin").timeZone
    let day = try #require(CalendarDay("2027-06-12"))
    let moment = TimeOfDay(hour: 9, minute: 0).moment(on: day, in: calendar)
    #expect(try moment == Self.instant("2027-06-12 07:00"))
  }

  // MARK: - Hours

  @Test(arguments: [
    ("Europe/Berlin", "2027-06-12", "09:00", "17:00", 8.0),
    ("Europe/Berlin", "2027-03-28", "00:00", "08:00", 7),
    ("Europe/Berlin", "2027-10-31", "00:00", "08:00", 9),
    ("America/New_York", "2027-03-14", "01:00", "03:00", 1),
    ("Australia/Lord_Howe", "2027-10-03", "00:00", "08:00", 7.5),
    ("Australia/Lord_Howe", "2027-04-04", "00:00", "08:00", 8.5),
    ("Asia/Kolkata", "2027-03-28", "00:00", "08:00", 8),
    ("Pacific/Kiritimati", "2027-03-28", "00:00", "08:15", 8.25),
    ("America/Havana", "2027-03-14", "00:00", "08:00", 7),
    ("America/Havana", "2027-11-07", "00:00", "08:00", 9),
  ])
  func `Hours are those that pass between two times of a day`(
    _ zone: String, _ day: String, _ start: String, _ end: String, _ expected: Double
  ) throws {
    #expect(try hours(zone, day, start, end) == expected)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2027-06-12", "22:00", "06:00", 8.0),
    ("Europe/Berlin", "2027-03-27", "22:00", "06:00", 7),
    ("Europe/Berlin", "2027-10-30", "22:00", "06:00", 9),
    ("Europe/Berlin", "2027-03-27", "22:00", "02:30", 4),
    ("America/Havana", "2027-03-13", "22:00", "00:30", 2),
    ("America/Havana", "2027-11-06", "22:00", "00:30", 2.5),
    ("Asia/Kolkata", "2027-06-12", "09:00", "09:00", 24),
    ("Europe/Berlin", "2027-03-27", "09:00", "09:00", 23),
  ])
  func `An end that is not later than the start is on the next day`(
    _ zone: String, _ day: String, _ start: String, _ end: String, _ expected: Double
  ) throws {
    #expect(try hours(zone, day, start, end) == expected)
  }

  @Test func `Times that the clocks skip have no hours between them`() throws {
    #expect(try hours("Europe/Berlin", "2027-03-28", "02:10", "02:50") == 0)
  }

  @Test func `The interval has the instants of both times`() throws {
    let calendar = try Calendar.gregorian(in: "Europe/Berlin")
    let day = try #require(CalendarDay("2027-06-12"))
    let interval = TimeOfDay(hour: 22, minute: 0).interval(
      to: TimeOfDay(hour: 6, minute: 0), on: day, in: calendar)
    #expect(try interval.lowerBound == Self.instant("2027-06-12 20:00"))
    #expect(try interval.upperBound == Self.instant("2027-06-13 04:00"))
  }

  @Test func `A night after the last day is empty`() throws {
    let night = TimeOfDay(hour: 22, minute: 0).interval(
      to: TimeOfDay(hour: 6, minute: 0), on: .last, in: .utc)
    #expect(night.isEmpty)
  }
}
