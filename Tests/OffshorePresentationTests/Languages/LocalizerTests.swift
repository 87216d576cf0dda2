import Foundation
import OffshoreCalendar
import Synchronization
import TestSupport
import Testing

@testable import OffshorePresentation

extension LocalizedText {
  fileprivate static let charters = LocalizedText(en: "Charters", ru: "Чартеры")
}

/// The tests also state the results of the toolchain's locale data on this platform: if they
/// change, the texts that users read change.
struct LocalizerTests {
  private static func calendar(_ zone: String = "UTC") throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private let english: Localizer
  private let russian: Localizer
  /// 12 June 2027, 14:05 UTC, a Saturday.
  private let date = Date(timeIntervalSince1970: 1_812_809_100)

  init() throws {
    english = Localizer(.english, calendar: try Self.calendar())
    russian = Localizer(.russian, calendar: try Self.calendar())
  }

  private func days(_ count: Double) -> Date { date.addingTimeInterval(count * 86_400) }

  @Test func `A speaker returns texts in its language`() {
    #expect(english(.charters) == "Charters")
    #expect(russian(.charters) == "Чартеры")
    #expect([english.language, russian.language] == [.english, .russian])
  }

  // MARK: - Dates

  @Test func `Days are written with the month in words`() {
    #expect(english.day(date) == "12 Jun 2027")
    #expect(russian.day(date) == "12 июня 2027\u{202f}г.")
    #expect(english.longDay(date) == "Saturday, 12 June 2027")
    #expect(russian.longDay(date) == "суббота, 12 июня 2027\u{202f}г.")
    #expect(english.month(date) == "June 2027")
    #expect(russian.month(date) == "июнь 2027\u{202f}г.")
  }

  @Test func `Times are written in the 24-hour format`() {
    #expect(english.time(date) == "14:05")
    #expect(russian.time(date) == "14:05")
    #expect(english.dayAndTime(date) == "12 Jun 2027 at 14:05")
    #expect(russian.dayAndTime(date) == "12 июня 2027\u{202f}г., 14:05")
  }

  @Test func `A range of days states the common parts of its ends once`() {
    #expect(english.dayRange(date, days(7)) == "12 – 19 Jun 2027")
    #expect(russian.dayRange(date, days(7)) == "12—19 июня 2027\u{202f}г.")
    #expect(english.dayRange(date, days(27)) == "12 Jun – 9 Jul 2027")
    #expect(russian.dayRange(date, days(27)) == "12 июня — 9 июля 2027\u{202f}г.")
    #expect(english.dayRange(date, days(307)) == "12 Jun 2027 – 14 Apr 2028")
    #expect(russian.dayRange(date, days(307)) == "12 июня 2027 — 14 апр. 2028\u{202f}г.")
  }

  @Test func `A range within one day is that day, and the order of the ends does not matter`() {
    #expect(english.dayRange(date, date) == "12 Jun 2027")
    #expect(english.dayRange(date, date.addingTimeInterval(3600)) == "12 Jun 2027")
    #expect(english.dayRange(days(7), date) == "12 – 19 Jun 2027")
  }

  @Test func `Days are those of the calendar's time zone, whatever its locale`() throws {
    var calendar = try Self.calendar("Pacific/Auckland")
    calendar.locale = Locale(identifier: "de_DE")
    let auckland = Localizer(.english, calendar: calendar)
    #expect(auckland.day(date) == "13 Jun 2027")
    #expect(auckland.time(date) == "02:05")
    #expect(auckland.calendar.locale?.identifier == "en_GB")
  }

  @Test(arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
  func `Days that are the same everywhere are in UTC, whatever the calendar's time zone`(
    _ zone: String
  ) throws {
    let calendar = try Self.calendar(zone)
    let (english, russian) = (
      Localizer(.english, calendar: calendar), Localizer(.russian, calendar: calendar)
    )
    #expect(english.civilDayRange(date, days(7)) == "12 – 19 Jun 2027")
    #expect(russian.civilDayRange(date, days(7)) == "12—19 июня 2027\u{202f}г.")
    #expect(english.civilDayRange(date, date.addingTimeInterval(9 * 3600)) == "12 Jun 2027")
  }

  @Test func `Near dates are relative to now`() {
    let relative = [-2.0, -1, 0, 1, 2, 5].map { (days($0), $0) }
    #expect(
      relative.map { english.relative($0.0, to: date) } == [
        "2 days ago", "yesterday", "now", "tomorrow", "in 2 days", "in 5 days",
      ])
    #expect(
      relative.map { russian.relative($0.0, to: date) } == [
        "позавчера", "вчера", "сейчас", "завтра", "послезавтра", "через 5 дней",
      ])
    let hours = [1.0, 2, 5, 21].map { date.addingTimeInterval(-$0 * 3600) }
    #expect(
      hours.map { russian.relative($0, to: date) } == [
        "1 час назад", "2 часа назад", "5 часов назад", "21 час назад",
      ])
  }

  @Test(arguments: [
    .nan, .infinity, -.infinity, 1e18, -1e18, .greatestFiniteMagnitude, 253_402_300_800, -1e12,
  ]) func `No date traps, however extreme`(_ seconds: TimeInterval) {
    let strange = Date(timeIntervalSince1970: seconds)
    for say in [english, russian] {
      _ = [say.day(strange), say.longDay(strange), say.month(strange), say.time(strange)]
      _ = [
        say.dayAndTime(strange), say.relative(strange, to: date), say.relative(date, to: strange),
      ]
      #expect(say.dayRange(date, strange).contains("2027"))
      #expect(say.dayRange(strange, date).contains("2027"))
      _ = say.dayRange(strange, strange)
      _ = say.civilDayRange(date, strange)
    }
  }

  // MARK: - Civil days

  @Test(arguments: ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Havana"])
  func `Civil days, months and times are the same in every time zone`(_ zone: String) throws {
    let calendar = try Self.calendar(zone)
    let day = try #require(CalendarDay("2027-06-12"))
    let english = Localizer(.english, calendar: calendar)
    let russian = Localizer(.russian, calendar: calendar)
    #expect(english.day(day) == "12 Jun 2027")
    #expect(russian.day(day) == "12 июня 2027\u{202f}г.")
    #expect(english.longDay(day) == "Saturday, 12 June 2027")
    #expect(russian.longDay(day) == "суббота, 12 июня 2027\u{202f}г.")
    #expect(english.month(CalendarMonth(containing: day)) == "June 2027")
    #expect(russian.month(CalendarMonth(containing: day)) == "июнь 2027\u{202f}г.")
    #expect(english.dayRange(day...(day + 7)) == "12 – 19 Jun 2027")
    #expect(russian.dayRange(day...day) == "12 июня 2027\u{202f}г.")
    #expect(english.time(TimeOfDay(hour: 2, minute: 30)) == "02:30")
    #expect(russian.time(TimeOfDay(hour: 23, minute: 59)) == "23:59")
  }

  @Test func `Times are written in the format of the language`() throws {
    let american = Language(
      code: "en-US", name: "English (US)", locale: Locale(identifier: "en_US"), plurals: .english)
    let say = Localizer(american, calendar: try Self.calendar())
    #expect(say.time(TimeOfDay(hour: 14, minute: 5)) == "2:05\u{202f}PM")
    #expect(say.time(TimeOfDay(hour: 0, minute: 0)) == "12:00\u{202f}AM")
  }

  @Test func `The first and the last day have texts`() {
    for say in [english, russian] {
      #expect(say.day(.last).contains("9999") && say.longDay(.last).contains("9999"))
      #expect(!say.day(.first).isEmpty && !say.dayRange(.first...(.last)).isEmpty)
      #expect(say.month(CalendarMonth(containing: .last)).contains("9999"))
    }
  }

  @Test func `Weekdays have names of three lengths`() {
    #expect(Weekday.allCases.map { english.weekday($0, .short) }.first == "Mon")
    #expect(
      Weekday.allCases.map { english.weekday($0) } == [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
      ])
    #expect(
      Weekday.allCases.map { russian.weekday($0) } == [
        "понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье",
      ])
    #expect(
      Weekday.allCases.map { russian.weekday($0, .short) } == [
        "Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс",
      ])
    #expect(Weekday.allCases.map { english.weekday($0, .narrow) }.joined() == "MTWTFSS")
    #expect(Weekday.allCases.map { russian.weekday($0, .narrow) }.joined() == "ПВСЧПСВ")
  }

  @Test func `The name of a weekday is that of a day with it`() throws {
    let day = try #require(CalendarDay("2027-06-12"))
    for day in day...(day + 6) {
      for say in [english, russian] {
        #expect(say.longDay(day).hasPrefix("\(say.weekday(day.weekday)), "))
      }
    }
  }

  @Test func `Hours are counted in the forms of the language`() {
    #expect(
      [0, 1, 2, 7.5, 21, 168].map(english.hours) == [
        "0 hours", "1 hour", "2 hours", "7.5 hours", "21 hours", "168 hours",
      ])
    #expect(
      [0, 1, 2, 5, 7.5, 11, 21, 22, 1.25].map(russian.hours) == [
        "0 часов", "1 час", "2 часа", "5 часов", "7,5 часа", "11 часов", "21 час", "22 часа",
        "1,25 часа",
      ])
    #expect(english.hours(1 / 3.0) == "0.33 hours")
    #expect(english.hours(-1.5) == "-1.5 hours")
    #expect(russian.hours(1234.5) == "1\u{a0}234,5 часа")
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude])
  func `No number of hours traps`(_ count: Double) {
    #expect(!english.hours(count).isEmpty && !russian.hours(count).isEmpty)
  }

  @Test func `Colors of calendar entries have names that differ`() {
    for language in Language.shipped {
      let names = Set(CalendarColor.allCases.map { $0.title.in(language) })
      #expect(names.count == CalendarColor.allCases.count)
    }
  }

  // MARK: - Numbers

  @Test func `Numbers are grouped and have the language's decimal sign`() throws {
    #expect(english.number(1_234_567) == "1,234,567")
    #expect(russian.number(1_234_567) == "1\u{a0}234\u{a0}567")
    #expect(english.number(-1234.5) == "-1,234.5")
    #expect(russian.number(-1234.5) == "-1\u{a0}234,5")
    let decimal = try #require(Decimal(string: "0.125"))
    #expect(english.number(decimal) == "0.125")
    #expect(russian.number(decimal) == "0,125")
  }

  @Test func `Fractions are whole percentages`() {
    #expect([0, 0.25, 0.256, 1].map(english.percent) == ["0%", "25%", "26%", "100%"])
    #expect(russian.percent(0.25) == "25\u{a0}%")
  }

  @Test func `Amounts have their currency's sign and decimals`() throws {
    let amount = try #require(Decimal(string: "1200.5"))
    #expect(english.currency(amount, "EUR") == "€1,200.50")
    #expect(russian.currency(amount, "EUR") == "1\u{a0}200,50\u{a0}€")
    #expect(russian.currency(amount, "rub") == "1\u{a0}200,50\u{a0}₽")
    #expect(english.currency(1200, "JPY") == "JP¥1,200")
    #expect(english.currency(-5, "GBP") == "-£5.00")
  }

  @Test(arguments: ["", "x", "€€€", "EURO", "A\u{0}B", "🙂", "E R"])
  func `An invalid currency code stays beside the amount`(_ code: String) {
    #expect(english.currency(1200, code) == "1,200 \(code)")
  }

  // MARK: - Lists

  @Test func `Items are listed with the language's word before the last`() {
    #expect(english.list(["a", "b", "c"]) == "a, b and c")
    #expect(russian.list(["a", "b", "c"]) == "a, b и c")
    #expect(russian.list(["a", "b"]) == "a и b")
    #expect(english.list(["a"]) == "a")
    #expect(english.list([]) == "")
  }
}

struct CurrencyFormatsTests {
  @Test func `The format of a currency is created once`() {
    let made = Mutex<[String]>([])
    let formats = CurrencyFormats { code in
      made.withLock { $0.append(code) }
      return .currency(code: code).locale(Locale(identifier: "en_GB"))
    }
    let texts = ["EUR", "USD", "EUR", "EUR"].map { formats[$0].format(2) }
    #expect(texts == ["€2.00", "US$2.00", "€2.00", "€2.00"])
    #expect(made.withLock { $0 } == ["EUR", "USD"])
  }
}
