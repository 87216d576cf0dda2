public import OffshoreCalendar
public import OffshoreHTTP
public import OffshorePresentation

/// The calendar files of an app: one for a range of days, and one to which a calendar app subscribes.
///
/// ```swift
/// let feed = SecretAddress("feed", suffix: ".ics", storedBy: store)
/// router.addCalendarExport(
///   CalendarExport(feed: feed, today: today) { days in try await shifts.file(of: days) }, of: frame)
/// ```
public struct CalendarExport: Sendable {
  let feed: SecretAddress
  let today: Today
  let file: @MainActor @Sendable (ClosedRange<CalendarDay>) async throws -> CalendarFile

  /// Creates an export.
  /// - Parameters:
  ///   - feed: the address to subscribe to. Its file has the last half year and the next two years.
  ///   - file: returns the file of a range of days.
  public init(
    feed: SecretAddress, today: Today,
    file: @escaping @MainActor @Sendable (ClosedRange<CalendarDay>) async throws -> CalendarFile
  ) {
    self.feed = feed
    self.today = today
    self.file = file
  }

  @MainActor fileprivate func response(
    of days: ClosedRange<CalendarDay>, named name: String
  ) async throws -> Response {
    let text = try await file(days).text
    return .download(.bytes(Array(text.utf8)), named: name, type: CalendarFile.mediaType)
  }

  /// The response to a calendar app.
  @MainActor fileprivate func subscription() async throws -> Response {
    today.refresh()
    return try await response(
      of: (today.day - 183)...(today.day + 731), named: "calendar.ics")
  }
}

/// The page of a ``CalendarExport``.
public enum CalendarExportRoute: PageRoute {
  /// The page with a form for a range of days, and with the address to subscribe to.
  case export

  /// The path of the page.
  public var path: RoutePath { "export" }

  /// The page.
  public static let all = [RouteCase(Self.export)]
}

/// The file of a range of days.
enum CalendarFileRoute: PageRoute {
  case file(CalendarDay, CalendarDay)

  var path: RoutePath {
    switch self {
    case .file(let first, let last): "export/\(first)/\(last)"
    }
  }

  static let all = [RouteCase(CalendarFileRoute.file)]
}

extension Router {
  /// Adds the page of an export, which belongs to the profile, its files, and the address to subscribe to.
  @MainActor public mutating func addCalendarExport(_ export: CalendarExport, of frame: AppFrame) {
    addPages(CalendarExportRoute.self, of: frame) { _, _ in CalendarExportPage(frame, export) }
    addDownloads(CalendarFileRoute.self) { route, _ in
      switch route {
      case .file(let first, let last):
        try await export.response(of: first...max(first, last), named: "\(first)–\(last).ics")
      }
    }
    addSecretAddress(export.feed) { _ in try await export.subscription() }
  }
}
