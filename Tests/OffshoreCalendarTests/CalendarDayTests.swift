import Foundation
import OffshoreCalendar
import TestSupport
import Testing

struct CalendarDayTests {
  // MARK: - Instants

  @Test func `A day goes from its first moment in UTC to the first of the next`() {
    let noon = Date.day(6, 6)
    let day = CalendarDay(containing: noon)
    #expect(day.start == noon.addingTimeInterval(-12 * 3600))
    #expect(day.end == noon.addingTimeInterval(12 * 3600))
    #expect(day.noon == noon)
    #expect(CalendarDay(containing: day.start) == day)
    #expect(CalendarDay(containing: day.end.addingTimeInterval(-0.001)) == day)
    #expect(CalendarDay(containing: day.end).start == day.end)
  }

  @Test func `A moment before 1970 lies in a day as well`() {
    let date = Date(timeIntervalSince1970: -1)
    #expect(CalendarDay(containing: date).end == Date(timeIntervalSince1970: 0))
  }

  @Test(arguments: [
    "UTC", "Europe/Zagreb", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",
  ])
  func `The civil day is that of a wall calendar in a time zone`(_ zone: String) throws {
    let calendar = try Calendar.gregorian(in: zone)
    for month in [1, 3, 7, 10] {
      for (hour, minute) in [(0, 0), (12, 0), (23, 59)] {
        let parts = DateComponents(
          year: 2026, month: month, day: 29, hour: hour, minute: minute)
        let moment = try #require(calendar.date(from: parts))
        #expect(CalendarDay(civilDayOf: moment, in: calendar).noon == .day(month, 29))
      }
    }
  }

  @Test func `A day without midnight begins after the clocks change`() throws {
    let cairo = try Calendar.gregorian(in: "Africa/Cairo")
    let start = cairo.startOfDay(for: .day(4, 24))
    let before = start.addingTimeInterval(-1)
    #expect(CalendarDay(civilDayOf: start, in: cairo).noon == .day(4, 24))
    #expect(CalendarDay(civilDayOf: before, in: cairo).noon == .day(4, 23))
  }

  @Test func `A day is the same by any kind of calendar`() {
    var buddhist = Calendar(identifier: .buddhist)
    buddhist.timeZone = .gmt
    #expect(CalendarDay(civilDayOf: .day(6, 6), in: buddhist).noon == .day(6, 6))
  }

  @Test func `An instant beyond the known years becomes the first or the last day`() {
    for seconds: Double in [.nan, -Double.infinity, -1e300, -62_167_219_201] {
      #expect(CalendarDay(containing: Date(timeIntervalSince1970: seconds)) == .first)
    }
    for seconds: Double in [.infinity, 1e300, 253_402_300_800] {
      #expect(CalendarDay(containing: Date(timeIntervalSince1970: seconds)) == .last)
    }
    #expect(CalendarDay(containing: .distantFuture).description == "4001-01-01")
  }

  // MARK: - Parts

  @Test func `Parts agree with Foundation on each day of four centuries`() {
    let first = CalendarDay(containing: .day(1, 1)) - 150_000
    let calendar = Calendar.utc
    for day in stride(from: first, to: first + 146_097, by: 11) {
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: day.noon)
      #expect(day.year == parts.year && day.month == parts.month && day.day == parts.day)
      #expect(day.weekday.number % 7 + 1 == parts.weekday)
      #expect(CalendarDay(year: day.year, month: day.month, day: day.day) == day)
    }
  }

  @Test(arguments: [
    (2027, 2, 29), (2100, 2, 29), (2027, 4, 31), (2027, 13, 1), (2027, 0, 1), (2027, 1, 0),
    (-1, 1, 1), (10_000, 1, 1), (.max, .max, .max), (.min, .min, .min),
  ])
  func `A day that does not exist is nil`(_ year: Int, _ month: Int, _ day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day) == nil)
  }

  // MARK: - Arithmetic

  @Test func `Days are added and subtracted over months and leap years`() throws {
    let day = try #require(CalendarDay("2028-02-28"))
    #expect((day + 1).description == "2028-02-29")
    #expect((day + 2).description == "2028-03-01")
    #expect((day - 59).description == "2027-12-31")
    #expect(day.distance(to: day + 366) == 366)
    #expect(day < day + 1)
    #expect((day...(day + 6)).count == 7)
  }

  @Test func `The next day of a weekday is one to seven days later`() throws {
    let friday = try #require(CalendarDay("2027-06-11"))
    for (weekday, text) in [
      (Weekday.saturday, "2027-06-12"), (.friday, "2027-06-18"), (.thursday, "2027-06-17"),
    ] { #expect(friday.next(weekday) == CalendarDay(text)) }
  }

  @Test func `Arithmetic stops at the first and the last day`() {
    #expect(CalendarDay.first - 1 == .first)
    #expect(CalendarDay.last + 1 == .last)
    for day in [CalendarDay.first, .last, CalendarDay(containing: .day(6, 6))] {
      #expect(day + .max == .last)
      #expect(day - .max == .first)
      #expect(day + .min == .first)
      #expect(day - .min == .last)
    }
    #expect((CalendarDay.last - 2...CalendarDay.last).map(\.day) == [29, 30, 31])
  }

  // MARK: - Text

  @Test(arguments: ["2027-02-28", "2028-02-29", "0000-01-01", "0999-12-31", "9999-12-31"])
  func `A text and its day are equivalent`(_ text: String) throws {
    #expect(try #require(CalendarDay(text)).description == text)
  }

  @Test func `Every moment of a day has the day's text`() {
    for hours in [-12, 0, 11.99] {
      let moment = Date.day(6, 6).addingTimeInterval(hours * 3600)
      #expect(CalendarDay(containing: moment).description == "2026-06-06")
    }
  }

  @Test(arguments: [
    "", "2027-02-29", "2027-13-01", "2027-1-1", "12.06.2027", "2027-06-12T00:00", "+027-06-12",
    "2027-06-1２", "12027-06-12", "2027--6-12", "2027-06-12-", " 2027-06-12",
  ])
  func `A text that is not a day is nil`(_ text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func `A day is coded as its text, and another text is an error`() throws {
    let day = try #require(CalendarDay("2027-06-12"))
    #expect(try CodingProbe.json(day) == #""2027-06-12""#)
    #expect(try CodingProbe.decoded(#""2027-06-12""#) == day)
    #expect(throws: DecodingError.self) {
      try CodingProbe.decoded(#""2027-06-31""#) as CalendarDay
    }
  }
}

/// Values as JSON.
enum CodingProbe {
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decoded<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }
}
