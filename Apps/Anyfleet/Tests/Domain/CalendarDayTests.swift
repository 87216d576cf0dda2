import Foundation
import Testing

@testable import Anyfleet

struct CalendarDayTests {
  @Test func `A day goes from its first moment in UTC to the first of the next`() {
    let day = CalendarDay(containing: .day(6, 6))
    #expect(day.start == Date.day(6, 6).addingTimeInterval(-12 * 3600))
    #expect(day.end == Date.day(6, 6).addingTimeInterval(12 * 3600))
    #expect(day.noon == .day(6, 6))
    #expect(CalendarDay(containing: day.start) == day)
    #expect(CalendarDay(containing: day.end.addingTimeInterval(-0.001)) == day)
    #expect(CalendarDay(containing: day.end).start == day.end)
  }

  @Test func `Days before 1970 are days as well`() {
    let date = Date(timeIntervalSince1970: -1)
    #expect(CalendarDay(containing: date).end == Date(timeIntervalSince1970: 0))
  }

  @Test(
    "What day it is, the clock on the wall tells",
    arguments: [
      "UTC", "Europe/Zagreb", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",
    ])
  func civilDays(_ zone: String) throws {
    let calendar = try Calendar.gregorian(in: zone)
    for month in [1, 3, 7, 10] {
      for (hour, minute) in [(0, 0), (12, 0), (23, 59)] {
        let moment = try calendar.moment(month, 29, hour, minute)
        #expect(CalendarDay(civilDayOf: moment, in: calendar).noon == .day(month, 29))
      }
    }
  }

  @Test func `A day on which the clocks leave out midnight begins when it begins`() throws {
    let cairo = try Calendar.gregorian(in: "Africa/Cairo")
    let start = cairo.startOfDay(for: .day(4, 24))
    let before = start.addingTimeInterval(-1)
    #expect(CalendarDay(civilDayOf: start, in: cairo).noon == .day(4, 24))
    #expect(CalendarDay(civilDayOf: before, in: cairo).noon == .day(4, 23))
  }

  @Test func `A day is the same one by any kind of calendar`() {
    var buddhist = Calendar(identifier: .buddhist)
    buddhist.timeZone = .gmt
    #expect(CalendarDay(civilDayOf: .day(6, 6), in: buddhist).noon == .day(6, 6))
  }

  @Test func `A charter is in one phase, also one that ends before it starts`() {
    let today = CalendarDay(containing: .day(6, 6))
    var charter = CharterModel.sample(from: .day(6, 7))
    charter.endDate = .day(6, 1)
    #expect(charter.phase(on: today) == .upcoming)
    charter.startDate = today.start
    #expect(charter.phase(on: today) == .past)
    charter.endDate = today.start
    #expect(charter.phase(on: today) == .inProgress)
  }
}
