import OffshoreCalendar
import OffshoreHTTP
package import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import ShiftScheduler

/// ShiftScheduler, to be opened by a host.
package enum ShiftSchedulerApp {
  /// Returns the app with sample content for a demonstration.
  package static func hosted(
    demonstration: @escaping @MainActor @Sendable (ShiftApp) -> (any Demonstration)? = { _ in nil }
  ) -> HostedApp {
    HostedApp(
      "shiftscheduler", title: .appName, icon: Icon("calendar3", text: "▦"),
      languages: [.english, .russian], schema: ShiftSchema.current
    ) { device in
      let app = try await ShiftApp(device)
      return OpenApp(app.frame, demonstration: demonstration(app)) { router in
        router.addPages(ShiftRoute.self, of: app.frame) { app.page(of: $0, $1) }
        router.addDownloads(ShiftDownload.self) { download, _ in try await app.file(of: download) }
        router.addCalendarExport(app.export, of: app.frame)
        router.addMembers(of: app.frame, .team)
        router.addStylesheet(.shifts)
      }
    }
  }
}

extension AppFrame {
  /// Creates the frame of the app's pages.
  convenience init(
    _ device: AppDevice, _ sync: SyncService, _ language: LanguageSetting,
    _ weekday: WeekdaySetting
  ) {
    func part(_ id: Part.ID, _ title: LocalizedText, _ route: ShiftRoute, _ icon: Icon) -> Part {
      Part(id, title, to: route.address, icon: icon)
    }
    self.init(
      .appName, mark: .shiftScheduler,
      parts: [
        part(.calendar, .calendar, .today, Icon("calendar3", text: "▦")),
        part(.kinds, .kinds, .kinds, Icon("tags", text: "☰")),
        part(.totals, .totals, .totals, Icon("bar-chart", text: "≡")),
        part(.teams, .teams, .teams, Icon("people", text: "☺☺")), .profile,
      ],
      profile: [
        part("changes", .changes, .changes, Icon("clock-history", text: "↶")),
        Part(
          "export", .calendarFile, to: CalendarExportRoute.export.address,
          icon: Icon("calendar-plus", text: "⇪")),
        part("data", .data, .data, Icon("archive", text: "⛁")),
        part("engines", .engines, .engines, Icon("speedometer2", text: "⏱")),
      ],
      store: device.store, sync: sync, language: language, weekday: weekday, tabs: device.tabs,
      facts: .shiftScheduler)
  }
}

extension ShiftApp {
  /// Returns the page of a route.
  /// - Parameter query: The fields of the address.
  fileprivate func page(of route: ShiftRoute, _ query: Fields) -> any RoutedPage {
    switch route {
    case .today: CalendarPage(self, .month, today.day)
    case .calendar(let mode, let day): CalendarPage(self, mode, day)
    case .newShift(let day): shiftForm(on: day, query["type"])
    case .pattern(let day): patternForm(from: day)
    case .shift(let day, let id): shiftForm(of: id, on: day)
    case .copy(let day, let id): copyForm(of: id, on: day)
    case .kinds: KindsPage(app: self, store: store())
    case .new(let kind): form(of: kind, nil)
    case .edit(let kind, let id): form(of: kind, id)
    case .remove(let kind, let id): removal(of: kind, id)
    case .search: SearchPage(app: self, store: store(), query: query)
    case .totals: TotalsPage(self, query)
    case .changes: ChangesPage(app: self, store: store(), query: query)
    case .data: DataPage(self)
    case .engines: EnginesPage(app: self, store: store(), query: query)
    case .teams: TeamsPage(app: self, store: store())
    case .newTeam: teamForm(of: nil)
    case .editTeam(let id): teamForm(of: id)
    case .team(let id): TeamPage(self, id)
    case .board(let id, let month): TeamPage(self, id, month)
    case .account:
      // Only a database is synced.
      engine == .database || !frame.sync.session.hasServer
        ? SystemRoute.account.page(of: frame, query) : AccountOfferPage(app: self, store: store())
    }
  }
}

extension AppMark {
  /// A calendar with some days.
  fileprivate static let shiftScheduler = AppMark(
    name: "Shifts", colors: (top: "#1f8a70", bottom: "#0b3b3c"),
    path: "M14 14h36v8H14zM14 26h10v10H14zM27 26h10v10H27zM14 39h10v10H14zM40 26h10v23H27V39h13z")
}

extension Stylesheet {
  /// The look of shifts.
  static let shifts = Stylesheet("shifts", PackageResources.shifts_css)
}
