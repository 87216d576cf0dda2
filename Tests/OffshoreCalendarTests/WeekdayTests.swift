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

  @Test(arguments: [
    ("US", Weekday.sunday), ("GB", .monday), ("RU", .monday), ("EG", .saturday), ("MV", .friday),
    ("PT", .sunday), ("AE", .monday), ("IN", .sunday),
  ])
  func `The first weekday is that of a region`(_ region: String, _ weekday: Weekday) {
    #expect(Weekday(firstIn: Locale.Region(region)) == weekday)
  }

  @Test(arguments: ["", "XX", "x@calendar=persian", "🇺🇸", "us_US"])
  func `Monday is the first weekday in a region that does not exist`(_ region: String) {
    #expect(Weekday(firstIn: Locale.Region(region)) == .monday)
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], Weekday.sunday), (["LANG": "ru_RU.UTF-8"], .monday),
    (["LC_TIME": "ar_EG", "LANG": "en_US.UTF-8"], .saturday),
    (["LC_ALL": "de_DE@euro", "LC_TIME": "en_US"], .monday),
    (["LC_ALL": "", "LANG": "zh_Hant_TW.UTF-8"], .sunday), (["LANG": "pt-BR"], .sunday),
  ])
  func `The first weekday is that of the region in the environment`(
    _ environment: [String: String], _ weekday: Weekday
  ) {
    #expect(Weekday(firstInRegionOf: environment) == weekday)
  }

  @Test(arguments: [
    [:], ["LANG": ""], ["LANG": "C"], ["LANG": "C.UTF-8"], ["LANG": "de"], ["LANG": "POSIX"],
    ["LC_ALL": "C", "LANG": "en_US.UTF-8"], ["LANG": "_US@"], ["LANG": "en_"],
  ])
  func `An environment without a region has no first weekday`(_ environment: [String: String]) {
    #expect(Weekday(firstInRegionOf: environment) == nil)
  }

  @Test func `A weekday is coded by its name`() throws {
    #expect(try CodingProbe.json(Weekday.monday) == #""monday""#)
  }
}
