public import OffshoreCalendar
public import OffshorePresentation
public import OffshoreWeb

/// A month or a week as a table, with a link for each day and links to the pages before and after.
///
/// ```swift
/// func page(_ tab: Tab) -> Page {
///   var page = frame.page(tab, frame.say(.shifts), in: "shifts") {
///     CalendarTable(of: month, startingOn: .monday, today: today.day, frame.say) { month in
///       ShiftRoute.month(month).address
///     } day: { day in
///       CalendarTable.Day(to: ShiftRoute.day(day).address) {
///         tab.region("shifts-\(day)") { ShiftMarks(model.shifts(on: day)) }
///       }
///     }
///   }
///   page.stylesheets.append(.calendar)
///   return page
/// }
/// ```
///
/// The arrow keys lead from day to day, Home and End to the ends of the week, and Page Up and Page
/// Down to the page before and after. One day is in the order of the Tab key, with the links and
/// buttons in its cell. Without the script, each day is a link like any other.
@MainActor public struct CalendarTable: Component {
  /// The content of a day's cell.
  public struct Day {
    let address: String
    let summary: String?
    let content: HTML

    /// Creates the content.
    ///
    /// - Parameters:
    ///   - address: the address of the day's page.
    ///   - summary: a text about the content that a screen reader reads after the date, such as
    ///     “2 shifts”.
    ///   - content: the content below the number of the day, such as a region of the tab.
    public init(
      to address: String, summary: String? = nil, @HTMLBuilder content: () -> HTML = { HTML() }
    ) {
      self.address = address
      self.summary = summary
      self.content = content()
    }
  }

  /// The address of a week's page. If it is set, each row begins with a link to its week.
  public var weekAddress: ((CalendarWeek) -> String)?
  /// The id of the table; those of its links begin with it and a hyphen. `calendar` by default.
  public var id = "calendar"

  private let weeks: [CalendarWeek]
  private let month: CalendarMonth?
  private let title: String
  private let pages: CalendarPages
  private let today: CalendarDay
  private let say: Localizer
  private let day: (CalendarDay) -> Day

  /// Creates the table of a month, with a row for each week that has a day of it.
  ///
  /// - Parameters:
  ///   - firstWeekday: the weekday of the first column.
  ///   - today: the current day, which is marked.
  ///   - address: returns the address of a month's page.
  ///   - day: returns the content of a day, also for the days of adjacent months.
  public init(
    of month: CalendarMonth, startingOn firstWeekday: Weekday, today: CalendarDay,
    _ say: Localizer, address: (CalendarMonth) -> String,
    day: @escaping (CalendarDay) -> Day
  ) {
    weeks = month.weeks(startingOn: firstWeekday)
    self.month = month
    title = say.month(month)
    self.today = today
    self.say = say
    self.day = day
    func link(_ other: CalendarMonth) -> PageLink? {
      other == month ? nil : PageLink(say.month(other), to: address(other))
    }
    pages = CalendarPages(
      unit: .month, previous: link(month - 1),
      current: address(CalendarMonth(containing: today)), next: link(month + 1))
  }

  /// Creates the table of a week, in one row.
  ///
  /// - Parameters:
  ///   - today: the current day, which is marked.
  ///   - address: returns the address of a week's page.
  ///   - day: returns the content of a day.
  public init(
    of week: CalendarWeek, today: CalendarDay, _ say: Localizer,
    address: (CalendarWeek) -> String, day: @escaping (CalendarDay) -> Day
  ) {
    weeks = [week]
    month = nil
    title = say.dayRange(week.days)
    self.today = today
    self.say = say
    self.day = day
    func link(_ other: CalendarWeek) -> PageLink? {
      other == week ? nil : PageLink(say.dayRange(other.days), to: address(other))
    }
    let current = CalendarWeek(containing: today, startingOn: week.firstWeekday)
    pages = CalendarPages(
      unit: .week, previous: link(week - 1), current: address(current), next: link(week + 1))
  }

  /// The links to other pages, and the table.
  public var html: HTML {
    pages.html(id: id, today: today, say)
    table(
      .id(id), .class("calendar"), .data("days", id), .data("page", pages.unit.rawValue)
    ) {
      caption { title }
      thead {
        tr {
          if weekAddress != nil { th(.scope(.col), .ariaLabel(say(.week))) { "#" } }
          for weekday in weekdays {
            th(.scope(.col), .ariaLabel(say.weekday(weekday))) { say.weekday(weekday, .short) }
          }
        }
      }
      tbody { for week in weeks { row(week) } }
    }
  }

  private var weekdays: [Weekday] { weeks.first?.firstWeekday.week ?? [] }

  private func row(_ week: CalendarWeek) -> HTML {
    tr {
      if let weekAddress {
        th(.scope(.row)) {
          a(.href(weekAddress(week)), .ariaLabel(say(.week(number: week.number)))) {
            "\(week.number)"
          }
        }
      }
      // The first and the last week that exist have fewer days.
      for _ in 0..<missing(before: week) { td() }
      for day in week.days { cell(day) }
      for _ in 0..<(7 - missing(before: week) - week.days.count) { td() }
    }
  }

  /// Returns the number of columns before the first day of a week.
  private func missing(before week: CalendarWeek) -> Int {
    weekdays.firstIndex(of: week.firstDay.weekday) ?? 0
  }

  private func cell(_ day: CalendarDay) -> HTML {
    let content = self.day(day)
    let isOutside = month.map { CalendarMonth(containing: day) != $0 } ?? false
    let label = [say.longDay(day), content.summary].compactMap(\.self).joined(separator: ", ")
    return td(.class("outside", if: isOutside)) {
      a(
        .class("day"), .id("\(id)-\(day)"), .data("day", "\(day)"), .href(content.address),
        .ariaLabel(label), day == today ? .ariaCurrent(.date) : .none
      ) { "\(day.day)" }
      content.content
    }
  }
}
