import OffshoreCalendar
package import OffshorePresentation
import OffshoreWeb

/// The links from a month or a week to those before and after, and to that of the current day.
struct CalendarPages {
  /// The part of the calendar that a page shows.
  enum Unit: String {
    case month, week
  }

  let unit: Unit
  /// The link to the page before, whose title is the name of that month or week; `nil` on the first.
  let previous: PageLink?
  /// The address of the page with the current day.
  let current: String
  /// The link to the page after; `nil` on the last.
  let next: PageLink?

  /// Returns the links.
  /// - Parameter id: the id of the table, with which the ids of the links begin.
  func html(id: String, today: CalendarDay, _ say: Localizer) -> HTML {
    nav(.class("calendar-pages"), .ariaLabel(say(unit == .month ? .months : .weeks))) {
      if let previous {
        let label = say(unit == .month ? .previousMonth : .previousWeek)
        link(previous, "‹", "\(label): \(previous.title)", id: "\(id)-previous")
      }
      a(.class("button", "plain"), .id("\(id)-today"), .href("\(current)#\(id)-\(today)")) {
        say(.today)
      }
      if let next {
        let label = say(unit == .month ? .nextMonth : .nextWeek)
        link(next, "›", "\(label): \(next.title)", id: "\(id)-next")
      }
    }
  }

  private func link(_ page: PageLink, _ sign: String, _ label: String, id: String) -> HTML {
    a(.class("button", "plain"), .id(id), .href(page.address), .ariaLabel(label)) {
      span(.ariaHidden()) { sign }
    }
  }
}

extension LocalizedText {
  fileprivate static let months = LocalizedText(en: "Months", ru: "Месяцы")
  fileprivate static let weeks = LocalizedText(en: "Weeks", ru: "Недели")
  fileprivate static let previousMonth = LocalizedText(en: "Previous month", ru: "Предыдущий месяц")
  fileprivate static let nextMonth = LocalizedText(en: "Next month", ru: "Следующий месяц")
  fileprivate static let previousWeek = LocalizedText(en: "Previous week", ru: "Предыдущая неделя")
  fileprivate static let nextWeek = LocalizedText(en: "Next week", ru: "Следующая неделя")
  fileprivate static let today = LocalizedText(en: "Today", ru: "Сегодня")
  package static let week = LocalizedText(en: "Week", ru: "Неделя")
  /// The sentence for a text that is not a day.
  package static let noSuchDay = LocalizedText(
    en: "There is no such day.", ru: "Такого дня нет.")

  static func week(number: Int) -> LocalizedText {
    LocalizedText(en: "Week \(number)", ru: "Неделя \(number)")
  }
}
