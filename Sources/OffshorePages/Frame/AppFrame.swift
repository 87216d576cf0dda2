public import Offshore
public import OffshorePresentation
public import OffshoreSync
public import OffshoreWeb
import Synchronization

/// The frame of an app's pages: the app's name and parts, its language, and the latest removals.
///
/// ```swift
/// let frame = AppFrame(
///   .appName, parts: [AppFrame.Part("lists", .lists, to: "/", icon: Icon("list", text: "☰"))],
///   store: store, sync: sync, language: language, tabs: tabs)
/// ```
@MainActor public final class AppFrame {
  /// A part of the app, in the navigation of each page.
  public struct Part: Identifiable, Sendable {
    /// The identifier of a part.
    public struct ID: Hashable, Sendable, ExpressibleByStringLiteral {
      private let name: String

      /// Creates an identifier.
      public init(stringLiteral name: String) { self.name = name }
    }

    /// The identifier of the part.
    public let id: ID
    /// The title of the part.
    package let title: LocalizedText
    /// The address of its first page.
    package let address: String
    /// The icon above the title.
    let icon: Icon

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - id: the identifier of the part.
    ///   - title: the title in the navigation.
    ///   - address: the address of the first page.
    ///   - icon: the icon above the title.
    public init(_ id: ID, _ title: LocalizedText, to address: String, icon: Icon) {
      self.id = id
      self.title = title
      self.address = address
      self.icon = icon
    }
  }

  /// The name of the app.
  package let name: LocalizedText
  /// The mark of the app, which is its icon.
  package let mark: AppMark?
  /// The parts of the app, in the order of the navigation.
  let parts: [Part]
  /// The app's own rows of the profile's page, above the others.
  let profileRows: [Part]
  /// The file of the app.
  public let store: SyncedStore
  /// The service that syncs the file.
  public let sync: SyncService
  /// The language of all pages.
  package let language: LanguageSetting
  /// The first day of the week, if the app has calendars.
  public let weekday: WeekdaySetting?
  /// The open pages.
  nonisolated let tabs: TabRegistry
  /// The facts about the app.
  let facts: AppFacts
  /// The links into the app.
  package let links: AppLinks
  /// Whether the device has other apps. If it has, the first page of a part links to their list.
  package var hasOtherApps = false
  /// The latest removals, which each page offers to undo.
  let removals = Removals()
  /// The kinds of scopes whose conflicts are listed.
  nonisolated let conflictKinds = Mutex<[OpenConflicts.Kind]>([])
  /// The undecided conflicts.
  private(set) lazy var conflicts = Live { [store, kinds = conflictKinds.withLock(\.self)] in
    OpenConflicts(in: LoggedStore(store), of: kinds).values()
  }
  /// The latest addresses of lists including their queries, by path. Links back lead to them.
  private var latestAddresses: [String: String] = [:]
  /// The titles of rows by key, as they were when their pages were opened, for the pages that
  /// explain why a row is no longer available.
  private var titles: [String: String] = [:]

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - name: the name of the app.
  ///   - mark: the mark of the app.
  ///   - parts: the parts of the app, in the order of the navigation.
  ///   - rows: further pages, which the page of the profile links to.
  ///   - store: the file of the app.
  ///   - sync: the service that syncs the file.
  ///   - language: the language of all pages.
  ///   - weekday: the first day of the week, which the page of settings then offers to change.
  ///   - tabs: the open pages.
  ///   - facts: the facts about the app.
  ///   - links: the links into the app. By default their scheme consists of the ASCII letters of
  ///     the English name.
  public init(
    _ name: LocalizedText, mark: AppMark? = nil, parts: [Part], profile rows: [Part] = [],
    store: SyncedStore, sync: SyncService,
    language: LanguageSetting, weekday: WeekdaySetting? = nil, tabs: TabRegistry,
    facts: AppFacts = AppFacts(),
    links: AppLinks? = nil
  ) {
    let scheme = name.in(.english).lowercased().filter { $0.isASCII && $0.isLetter }
    self.name = name
    self.mark = mark
    self.facts = facts
    self.links = links ?? AppLinks(scheme: scheme)
    self.parts = parts
    profileRows = rows
    self.store = store
    self.sync = sync
    self.language = language
    self.weekday = weekday
    self.tabs = tabs
  }

  /// The formats of texts, dates and numbers in the current language.
  public var say: Localizer { language.say }

  /// Creates a page of the app.
  ///
  /// - Parameters:
  ///   - tab: the tab that shows the page.
  ///   - title: the heading.
  ///   - part: the id of the part that the page belongs to.
  ///   - subtitle: a line below the heading.
  ///   - back: the link back; `nil` on the first page of a part. It leads to the latest address of
  ///     that page, with its filter and search.
  ///   - content: the content below the heading.
  ///   - actions: the page's own actions in the bar.
  ///   - beside: a list beside the page in wide windows, such as the list of the entry.
  public func page(
    _ tab: Tab, _ title: String, in part: Part.ID, subtitle: String? = nil, back: PageLink? = nil,
    @HTMLBuilder content: () -> HTML,
    @HTMLBuilder actions: () -> HTML = { HTML() }, @HTMLBuilder beside: () -> HTML = { HTML() }
  ) -> Page {
    let address = tab.address
    recordAddress(address)
    var page = Page(
      title, appName: say(name), subtitle: subtitle,
      back: back.map(withLatestAddress) ?? linkToApps,
      texts: .in(language.language),
      status: tab.region("sync-status") { SyncStatusView(self.sync.indicator, self.say).html },
      navigation: navigation(part)
    ) {
      tab.region("undo-removal") { self.floatingBars(onPage: address) }
      content()
    }
    page.actions = actions()
    page.sidebar = beside()
    page.mark = mark
    return page
  }

  /// The undo bar at the lower edge, and the summary of the latest sync after a period without the
  /// server below the bar of the page.
  @HTMLBuilder private func floatingBars(onPage address: String) -> HTML {
    removals.bar(onPage: address, say)
    if let summary = sync.reconnectionSummary {
      ReconnectionBar(summary, openConflicts, onPage: address, say).html
    }
  }

  /// Discards what the pages remember of a user who has erased the device.
  func discardMemory() {
    removals.discardAll()
    (latestAddresses, titles) = ([:], [:])
  }

  private func recordAddress(_ address: String) {
    let path = String(address.prefix { $0 != "?" })
    latestAddresses[path] = path == address ? nil : address
  }

  /// Stores the title of a row. If there are 1,000, all earlier ones are dropped.
  func recordTitle(_ title: String, of key: String) {
    if titles.count >= 1_000 { titles = [:] }
    titles[key] = title
  }

  /// Returns the title of a row when its page was last opened; `nil` if it is unknown or empty.
  func title(of key: String) -> String? { titles[key].flatMap { $0.isEmpty ? nil : $0 } }

  private func withLatestAddress(_ link: PageLink) -> PageLink {
    PageLink(link.title, to: latestAddresses[link.address] ?? link.address)
  }

  private var linkToApps: PageLink? {
    hasOtherApps ? PageLink(say(.apps), to: WebAddress.apps) : nil
  }

  /// Returns the part to which a path belongs: the one whose address is the longest prefix of the
  /// path.
  package func part(of path: String) -> Part? {
    func components(_ path: String) -> [Substring] { path.split(separator: "/") }
    let wanted = components(path)
    // The system pages belong to the profile, but their paths are not below its path.
    if SystemRoute.all.contains(where: { wanted.first == components($0.pattern).first }),
      let profile = parts.first(where: { $0.id == .profile })
    {
      return profile
    }
    return parts.filter { wanted.starts(with: components($0.address)) }
      .max { components($0.address).count < components($1.address).count }
  }

  /// Returns the navigation bar with the parts of the app.
  /// - Parameter current: the identifier of the page's part.
  package func navigation(_ current: Part.ID) -> PageNavigation {
    PageNavigation(
      say(.partsOfTheApp), mark: mark,
      parts.map { part in
        PageNavigation.Item(
          say(part.title), to: part.address, icon: part.icon, isCurrent: part.id == current)
      })
  }
}

// MARK: - Conflicts

extension AppFrame {
  /// The undecided conflicts of all scopes whose kind has a history.
  ///
  /// A page that marks rows with conflicts reads the property in a region, which is then updated
  /// with it. The first access starts to read the conflicts; ``loadConflicts()`` waits for them.
  public var openConflicts: [OpenConflict] {
    if case .idle = conflicts.state { Task { await conflicts.loadIfNeeded() } }
    return conflicts.state.data ?? []
  }

  /// Reads the undecided conflicts, so that a page has its marks from the start.
  public func loadConflicts() async { await conflicts.loadIfNeeded() }
}

// MARK: - Undoing

extension AppFrame {
  /// Shows an undo bar for a removal on each page.
  ///
  /// - Parameters:
  ///   - text: a sentence that names the removed entry: “Weekend was deleted.”
  ///   - address: the address to go to after the entry was restored; without it, the user stays on
  ///     the page.
  ///   - restore: undoes the removal. If it throws, the user can retry.
  public func offerUndo(
    _ text: LocalizedText, leadingTo address: String? = nil,
    restore: @escaping @MainActor () async throws -> Void
  ) {
    removals.offer(text, id: store.makeID(), to: address, restore: restore)
  }

  /// Removes rows with all rows that refer to them, and shows an undo bar on each page.
  ///
  /// - Parameters:
  ///   - rows: the rows, which the account must be allowed to edit.
  ///   - text: a sentence that names the removed entry: “Weekend was deleted.”
  /// - Throws: `ReplicaError` with the code `forbidden`; `DatabaseError`. Nothing is removed then.
  public func remove<Row: Record>(
    _ rows: Query<Row>, saying text: LocalizedText
  ) async throws {
    let store = store
    let removed = try await store.write { writer in
      try store.checkMayEdit(rows, writer)
      return try writer.remove(rows)
    }
    guard !removed.isEmpty else { return }
    offerUndo(text) {
      try await store.write { writer in
        try removed.restore(writer)
        try store.checkMayEdit(rows, writer)
      }
    }
  }
}

extension AppFrame.Part {
  /// The part with the pages of ``SystemRoute``: the user, the account, syncing and settings.
  public static let profile = AppFrame.Part(
    .profile, .profile, to: SystemRoute.profile.address, icon: Icon("person", text: "☺"))
}

extension AppFrame.Part.ID {
  /// The identifier of the profile's part.
  static let profile: AppFrame.Part.ID = "profile"
}

extension LocalizedText {
  /// The title of the list of all apps of a device.
  package static let apps = LocalizedText(en: "Apps", ru: "Приложения")
  fileprivate static let partsOfTheApp = LocalizedText(
    en: "Parts of the app", ru: "Разделы приложения")
}

extension PageTexts {
  /// Returns the words of every page in a language.
  public static func `in`(_ language: Language) -> PageTexts {
    PageTexts(
      language: language.code,
      skip: LocalizedText(en: "Skip to content", ru: "К содержанию").in(language),
      disconnected: LocalizedText(
        en: "The app cannot be reached. Trying again…",
        ru: "Приложение недоступно. Пробуем снова…"
      ).in(language),
      notSent: LocalizedText(
        en: "That did not work. Try again.", ru: "Не получилось. Попробуйте ещё раз."
      ).in(language),
      dismiss: LocalizedText(en: "Dismiss", ru: "Скрыть").in(language))
  }
}
