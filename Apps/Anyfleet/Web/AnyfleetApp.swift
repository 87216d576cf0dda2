package import Anyfleet
package import OffshoreHost
package import OffshorePages
import OffshorePresentation
package import OffshoreWeb

/// Anyfleet, to be opened by a host.
package enum AnyfleetApp {
  /// Returns the app with sample content for a demonstration.
  package static func hosted(
    demonstration: @escaping @MainActor @Sendable (AppDependencies) -> (any Demonstration)?
  ) -> HostedApp {
    HostedApp(
      "anyfleet", title: .appName, icon: Icon("compass", text: "⛵"),
      languages: AppDependencies.languages, schema: AppSchema.current
    ) { device in
      let app = try await AppDependencies(on: device)
      let frame = AppFrame.anyfleet(app, device.tabs)
      return OpenApp(frame, demonstration: demonstration(app)) { $0.addAnyfleet(app, of: frame) }
    }
  }
}

extension AppDependencies {
  /// Creates the app's dependencies on a device.
  convenience init(on device: AppDevice) async throws {
    var environment = Environment()
    environment.now = device.environment.now
    environment.makeID = device.environment.makeID
    environment.calendar = device.environment.calendar
    environment.logger = device.environment.logger
    environment.syncLogger = device.environment.syncLogger
    environment.server = device.server
    environment.sleep = device.environment.sleep
    try await self.init(
      database: AppDatabase(device.store), language: device.language, environment: environment)
  }
}

extension AppFrame {
  /// Returns the frame of Anyfleet's pages.
  package static func anyfleet(_ app: AppDependencies, _ tabs: TabRegistry) -> AppFrame {
    AppFrame(
      .appName, mark: .anyfleet, parts: AppTab.allCases.map(\.part), store: app.database.store,
      sync: app.sync,
      language: app.language, tabs: tabs, facts: .anyfleet,
      links: AppLinks(scheme: AppCoordinator.scheme) { link in
        let coordinator = AppCoordinator()
        do throws(ContentError) {
          try coordinator.open(link)
        } catch {
          return nil
        }
        return coordinator.address(of: coordinator.top)
      })
  }
}

extension AppMark {
  /// A yacht under sail.
  static let anyfleet = AppMark(
    name: "Anyfleet", colors: (top: "#1286b8", bottom: "#0a3d62"),
    path: "M35 9v33h18zM30 17v25H13zM9 46h46l-6 9H15z")
}

extension AppFacts {
  /// The facts about Anyfleet.
  static let anyfleet = AppFacts(
    version: AppVersion.current,
    purpose: LocalizedText(
      en:
        "Anyfleet is for skippers who charter yachts: it plans charters, and runs checklists on board "
        + "with progress that belongs to one charter alone.",
      ru:
        "Anyfleet — для шкиперов, которые арендуют яхты: планирование чартеров и чек-листы на борту, "
        + "с отдельным прогрессом для каждого чартера."),
    licence: LocalizedText(
      en: "Anyfleet is free software under the MIT licence.",
      ru: "Anyfleet — свободная программа под лицензией MIT."),
    kinds: [
      "charters": .charter, "charterChecklists": .checklist,
      "checklistExecutionStates": LocalizedText(en: "Progress", ru: "Прогресс"),
      "checklistItemNotes": .note,
      "flashcardProgress": LocalizedText(en: "Study progress", ru: "Ход изучения"),
      "activeCharters": LocalizedText(en: "Active charter", ru: "Текущий чартер"),
    ].merging(Library.names) { first, _ in first },
    countedFields: [
      CountedField("checklistExecutionStates", "itemStates") { .ticks($0) },
      CountedField("checklistItemNotes", "note") { .notes($0) },
      CountedField("checklistItemNotes", "issue") { .conditions($0) },
    ],
    serverCommand: "offshore-apps --server URL",
    elsewhere: LocalizedText(en: "on another phone", ru: "на другом телефоне"))
}

extension LocalizedText {
  fileprivate static func ticks(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# tick", other: "# ticks"),
      ru: .init(one: "# отметка", few: "# отметки", many: "# отметок"))
  }

  fileprivate static func notes(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# note", other: "# notes"),
      ru: .init(one: "# заметка", few: "# заметки", many: "# заметок"))
  }

  fileprivate static func conditions(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# condition", other: "# conditions"),
      ru: .init(one: "# состояние", few: "# состояния", many: "# состояний"))
  }
}
