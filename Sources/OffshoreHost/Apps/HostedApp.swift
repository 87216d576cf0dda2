public import Foundation
public import OffshoreHTTP
public import OffshoreLogging
public import OffshorePages
public import OffshorePresentation
public import OffshoreSync
public import OffshoreWeb

/// An app for a host: its name, the declaration of its file, and a closure that opens it.
///
/// ```swift
/// let packing = HostedApp(
///   "packing", title: .appName, icon: Icon("backpack", text: "☰"),
///   languages: [.english, .russian], schema: AppSchema.current
/// ) { device in
///   let sync = try await device.store.sync(with: device.server)
///   let frame = AppFrame(
///     .appName, parts: parts, store: device.store, sync: sync, language: device.language,
///     tabs: device.tabs)
///   return OpenApp(frame) { router in
///     router.addPages(ListRoute.self, of: frame) { route, _ in page(route) }
///   }
/// }
/// ```
public struct HostedApp: Sendable {
  /// The path below which the app is served, and the name of its file.
  public let name: String
  /// The title of the app on the page that lists all apps.
  let title: LocalizedText
  /// The icon beside the title.
  let icon: Icon
  /// The languages of the app, in the order of the choice.
  let languages: [Language]
  /// The declaration of the app's file.
  public let schema: StoreSchema
  /// Creates the app on a device that has opened its file.
  let open: @MainActor @Sendable (AppDevice) async throws -> OpenApp

  /// Creates the declaration of an app.
  ///
  /// - Parameters:
  ///   - name: the path and the name of the file: with `packing`, the pages are below `/packing/`
  ///     and the file is `packing.sqlite`.
  ///   - title: the title of the app on the page that lists all apps.
  ///   - icon: the icon beside the title.
  ///   - languages: the languages of the app, in the order of the choice.
  ///   - schema: the declaration of the app's file.
  ///   - open: creates the app's models, its frame and its pages. The host has opened the file, and
  ///     starts to sync after it serves the pages.
  /// - Precondition: the name consists of lowercase ASCII letters, digits and hyphens, is not
  ///   empty, and is not a path of a host (`assets`, `live`) or a server (`healthz`, `metrics`,
  ///   `readyz`, `v1`); there is a language.
  public init(
    _ name: String, title: LocalizedText, icon: Icon, languages: [Language], schema: StoreSchema,
    open: @escaping @MainActor @Sendable (AppDevice) async throws -> OpenApp
  ) {
    precondition(
      AppName.isValid(name), "“\(name)” is not the name of an app. \(AppName.rule)")
    precondition(!languages.isEmpty, "An app has at least one language; pass its languages.")
    self.name = name
    self.title = title
    self.icon = icon
    self.languages = languages
    self.schema = schema
    self.open = open
  }

  /// The path below which the app is served.
  package var path: String { "/\(name)" }
  /// The name of the app's file in the folder of the host.
  package var fileName: String { "\(name).sqlite" }
}

/// A device as one app sees it: the app's open file, the server, and the sources of time and ids.
@MainActor public struct AppDevice {
  /// The app's file.
  public let store: SyncedStore
  /// The language setting of the app, which the file stores.
  public let language: LanguageSetting
  /// The server to sync with, or `nil`.
  public let server: URL?
  /// The open pages of the device.
  public let tabs: TabRegistry
  /// The sources of time and ids, and the logger.
  public let environment: Environment
  /// The path below which the app is served, or an empty text.
  private let path: String

  /// The sources of time and ids, and the logger.
  public struct Environment: Sendable {
    /// Returns the current time.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns a new id.
    public var makeID: @Sendable () -> UUID = { UUID() }
    /// Returns the calendar with the user's time zone.
    public var calendar: @Sendable () -> Calendar = { .autoupdatingCurrent }
    /// The logger of the app's reads and writes.
    public var logger = AppLogger.repository
    /// The logger of background failures, such as those of syncing.
    public var syncLogger = AppLogger.sync
    /// Suspends for a duration.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Creates an environment with the clock, random ids, the calendar and the log of the system.
    package init() {}
  }

  init(
    store: SyncedStore, language: LanguageSetting, server: URL? = nil, tabs: TabRegistry,
    at path: String = "", environment: Environment = Environment()
  ) {
    self.store = store
    self.language = language
    self.server = server
    self.tabs = tabs
    self.path = path
    self.environment = environment
  }

  /// Closes the open pages of the app, so that browsers fetch them again, with new view models.
  ///
  /// It is for a change that no page observes, such as one of the place at which all data is stored.
  public func refetchPages() { tabs.refetch(under: path) }
}

/// An app that was opened on a device: its frame and its pages.
@MainActor public struct OpenApp {
  /// The frame of the app's pages.
  package let frame: AppFrame
  /// Returns the badge of the app on the page that lists all apps, or `nil` for none.
  let badge: @MainActor () -> AppBadge?
  let addPages: @MainActor (inout Router) -> Void
  let demonstration: (any Demonstration)?

  /// Creates an open app.
  ///
  /// - Parameters:
  ///   - frame: the frame of the app's pages.
  ///   - badge: returns the badge of the app on the page that lists all apps, or `nil` for none. It is called
  ///     again when an observable property that it has read changes.
  ///   - addPages: adds the pages of the app to its router, at addresses relative to the app's
  ///     path. The host adds the streams of live pages, their assets, and each system page whose
  ///     address the app does not use.
  public init(
    _ frame: AppFrame, badge: @escaping @MainActor () -> AppBadge? = { nil },
    addPages: @escaping @MainActor (inout Router) -> Void
  ) {
    self.init(frame, demonstration: nil, badge: badge, addPages: addPages)
  }

  /// Creates an open app with sample content for a demonstration.
  package init(
    _ frame: AppFrame, demonstration: (any Demonstration)?,
    badge: @escaping @MainActor () -> AppBadge? = { nil },
    addPages: @escaping @MainActor (inout Router) -> Void
  ) {
    self.frame = frame
    self.badge = badge
    self.demonstration = demonstration
    self.addPages = addPages
  }
}

/// A short text beside an app on the page that lists all apps, such as the number of unread letters.
public struct AppBadge: Hashable, Sendable {
  let text: String
  let label: LocalizedText

  /// Creates a badge.
  /// - Parameters:
  ///   - text: the text, for example a number.
  ///   - label: what a screen reader reads instead, such as “3 unread letters”, in the language of the app.
  public init(_ text: String, label: LocalizedText) { (self.text, self.label) = (text, label) }
}
