import Foundation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The hours of a month and of its weeks, as a chart with a table.
struct TotalsPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore
  private let month: CalendarMonth

  init(_ app: ShiftApp, _ query: Fields) {
    self.app = app
    month =
      query["month"].flatMap { CalendarMonth($0) } ?? CalendarMonth(containing: app.today.day)
    store = app.store(month.firstDay, .month)
  }

  func page(_ tab: Tab) -> Page {
    page(tab, say(.totals), in: .totals, subtitle: say.month(month)) {
      StepLinks(around: month, say) { "\(ShiftRoute.totals.address)?month=\($0)" }
      tab.region("numbers") { numbers }
    }
  }

  @HTMLBuilder private var numbers: HTML {
    let view = store.schedule.view(in: app.calendar)
    FactList(
      [
        (say(.shiftCount), say.number(view.totals.shifts)),
        (say(.hours), say.hours(view.totals.hours)),
        (say(.overtimeTitle), say.hours(Double(view.totals.overtimeMinutes) / 60)),
        (say(en: "Whole days", ru: "Полных дней"), say.number(view.totals.wholeDays)),
      ], id: "sums")
    Chart(
      say(en: "Hours by week", ru: "Часы по неделям"), id: "weeks",
      description: say(
        en: "Weeks at the edges have their days of other months, too.",
        ru: "Крайние недели — вместе с днями соседних месяцев."),
      categories: view.weeks.map { say.dayRange($0.week.days) },
      series: [
        Chart.Series(say(.hours), view.weeks.map { $0.totals.hours }),
        Chart.Series(
          say(.overtimeTitle), view.weeks.map { Double($0.totals.overtimeMinutes) / 60 }),
      ],
      texts: Chart.Texts(categories: say(.week), table: say(.theNumbers))
    ) { say.hours($0) }
  }
}
