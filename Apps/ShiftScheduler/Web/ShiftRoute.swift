import Foundation
import OffshoreCalendar
import OffshorePages
import OffshorePresentation
import ShiftScheduler

/// The pages of the app.
enum ShiftRoute: PageRoute {
  case today
  case calendar(ScheduleFeature.Mode, CalendarDay)
  case newShift(CalendarDay)
  case pattern(CalendarDay)
  /// A shift with its day.
  case shift(CalendarDay, UUID)
  case copy(CalendarDay, UUID)
  case kinds
  case new(Kind)
  case edit(Kind, UUID)
  case remove(Kind, UUID)
  case search, totals, changes, data, engines, account
  case teams, newTeam
  case team(UUID)
  case board(UUID, CalendarMonth)
  case editTeam(UUID)

  /// A kind of records that shifts refer to.
  enum Kind: String, CaseIterable, RouteValue {
    case types, locations

    static var sample: Kind { .types }
  }

  var path: RoutePath {
    switch self {
    case .today: ""
    case .calendar(let mode, let day): "calendar/\(mode)/\(day)"
    case .newShift(let day): "shifts/\(day)/new"
    case .pattern(let day): "shifts/\(day)/pattern"
    case .shift(let day, let id): "shifts/\(day)/edit/\(id)"
    case .copy(let day, let id): "shifts/\(day)/copy/\(id)"
    case .kinds: "kinds"
    case .new(let kind): "kinds/\(kind)/new"
    case .edit(let kind, let id): "kinds/\(kind)/edit/\(id)"
    case .remove(let kind, let id): "kinds/\(kind)/remove/\(id)"
    case .search: "search"
    case .totals: "totals"
    case .changes: "changes"
    case .data: "data"
    case .engines: "engines"
    case .account: SystemRoute.account.path
    case .teams: "teams"
    case .newTeam: "teams/new"
    case .team(let id): "teams/\(id)"
    case .board(let id, let month): "teams/\(id)/\(month)"
    case .editTeam(let id): "teams/\(id)/edit"
    }
  }

  static let all: [RouteCase<ShiftRoute>] = [
    RouteCase(.today), RouteCase(ShiftRoute.calendar), RouteCase(ShiftRoute.newShift),
    RouteCase(ShiftRoute.pattern), RouteCase(ShiftRoute.shift), RouteCase(ShiftRoute.copy),
    RouteCase(.kinds), RouteCase(ShiftRoute.new), RouteCase(ShiftRoute.edit),
    RouteCase(ShiftRoute.remove), RouteCase(.search), RouteCase(.totals), RouteCase(.changes),
    RouteCase(.data), RouteCase(.engines), RouteCase(.account), RouteCase(.teams),
    RouteCase(.newTeam), RouteCase(ShiftRoute.team), RouteCase(ShiftRoute.board),
    RouteCase(ShiftRoute.editTeam),
  ]

  /// 32 MiB for the page with files, which are a backup or a store.
  var formLimit: Int { self == .data ? 32 << 20 : 64 << 10 }
}

extension AppFrame.Part.ID {
  static let calendar: AppFrame.Part.ID = "calendar"
  static let kinds: AppFrame.Part.ID = "kinds"
  static let totals: AppFrame.Part.ID = "totals"
  static let teams: AppFrame.Part.ID = "teams"
}
