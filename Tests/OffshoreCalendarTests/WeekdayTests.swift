import Foundation
import OffshoreCalendar
import Testing

struct WeekdayTests {
  @Test func `Weekdays are numbered and ordered from Monday on`() {
    #expect(Weekday.allCases.map(\.number) == [1, 2, 3, 4, 5, 6, 7])
    #expect(Weekday.allCases.sorted() == Weekday.allCases)
  }

  @Test func `A week has the seven weekdays from any of them on`() {
    #expect(Weekday.sunday.week.first == .sunday)
    #expect(Weekday.sunday.week.last == .saturday)
    for weekday in Weekday.allCases {
      #expect(Set(weekday.week) == Set(Weekday.allCases))
      #expect(weekday.advanced(by: -1).advanced(by: 1) == weekday)
      #expect(weekday.advanced(by: .max).advanced(by: .min) == weekday.advanced(by: -1))
    }
  }

  @Test(arguments: [("en_US", Weekday.sunday), ("de_DE", .monday), ("ar_EG", .saturday)])
  func `The first weekday is that of a calendar`(_ locale: String, _ weekday: Weekday) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = Locale(identifier: locale)
    #expect(Weekday(firstOf: calendar) == weekday)
  }

  @Test func `A weekday is coded by its name`() throws {
    #expect(try CodingProbe.json(Weekday.monday) == #""monday""#)
  }
}
