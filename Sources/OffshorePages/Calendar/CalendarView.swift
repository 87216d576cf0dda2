public import OffshoreCalendar
public import OffshorePresentation
public import OffshoreWeb

/// A month, a week or a day of a calendar, below links to each of the three.
///
/// ```swift
/// CalendarView(extent, around: day, startingOn: .monday, today: today.day, frame.say) { extent, day in
///   ShiftRoute.calendar(extent, day).address
/// } day: { day in
///   CalendarTable.Day(to: ShiftRoute.calendar(.day, day).address) { … }
/// }
/// ```
///
/// A month and a week are a ``CalendarTable``. A day has links to those before and after. A page with
/// the view has the stylesheet `Stylesheet.calendar`.
@MainActor public struct CalendarView: Component {
  private let extent: CalendarExtent
  private let day: CalendarDay
  private let firstWeekday: Weekday
  private let today: CalendarDay
  private let say: Localizer
  private let address: (CalendarExtent, CalendarDay) -> String
  private let content: (CalendarDay) -> CalendarTable.Day

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - day: a day in the month or week that is shown.
  ///   - today: the current day, which is marked.
  ///   - address: returns the address of the page that shows a part with a day.
  ///   - content: returns the content of a day in a table, also for the days of adjacent months.
  public init(
    _ extent: CalendarExtent, around day: CalendarDay, startingOn firstWeekday: Weekday,
    today: CalendarDay, _ say: Localizer,
    address: @escaping (CalendarExtent, CalendarDay) -> String,
    day content: @escaping (CalendarDay) -> CalendarTable.Day
  ) {
    self.extent = extent
    self.day = day
    self.firstWeekday = firstWeekday
    self.today = today
    self.say = say
    self.address = address
    self.content = content
  }

  /// The links to the parts, and the one that is shown.
  public var html: HTML {
    HTML {
      choice
      switch extent {
      case .month: month
      case .week:
        CalendarTable(
          of: CalendarWeek(containing: day, startingOn: firstWeekday), today: today, say
        ) {
          address(.week, $0.firstDay)
        } day: {
          content($0)
        }
      case .day:
        StepLinks(
          previous: PageLink(say.day(day - 1), to: address(.day, day - 1)),
          next: PageLink(say.day(day + 1), to: address(.day, day + 1)), say)
      }
    }
  }

  private var choice: HTML {
    let start = extent.start(around: day, startingOn: firstWeekday, today: today)
    return nav(.class("filters"), .ariaLabel(say(.calendar))) {
      for (other, title) in zip(CalendarExtent.allCases, [LocalizedText.month, .week, .day]) {
        a(.href(address(other, start)), other == extent ? .ariaCurrent(.page) : .none) {
          say(title)
        }
      }
    }
  }

  private var month: CalendarTable {
    var table = CalendarTable(
      of: CalendarMonth(containing: day), startingOn: firstWeekday, today: today, say
    ) {
      address(.month, $0.firstDay)
    } day: {
      content($0)
    }
    table.weekAddress = { address(.week, $0.firstDay) }
    return table
  }
}

extension CalendarExtent: RouteValue {
  public static var sample: Self { .month }
}

extension LocalizedText {
  fileprivate static let calendar = LocalizedText(en: "Calendar", ru: "Календарь")
  fileprivate static let month = LocalizedText(en: "Month", ru: "Месяц")
  fileprivate static let day = LocalizedText(en: "Day", ru: "День")
}
