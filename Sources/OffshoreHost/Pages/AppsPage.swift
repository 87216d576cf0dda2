import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The first page of a device with several apps, which lists them with their states of syncing.
struct AppsPage: LivePage {
  let apps: [RunningApp]

  func page(_ tab: Tab) -> Page {
    let language = Self.language(of: apps)
    return Page(LocalizedText.apps.in(language), words: .in(language)) {
      tab.region("apps") {
        nav(.class("card"), .ariaLabel(LocalizedText.apps.in(language))) {
          for app in apps { row(app, in: language) }
        }
      }
    }
  }

  /// Returns the language of pages that belong to no app: that of the first app.
  static func language(of apps: [RunningApp]) -> Language { apps.first?.language ?? .english }

  private func row(_ app: RunningApp, in language: Language) -> HTML {
    a(.class("row"), .id("app-\(app.app.name)"), .href("\(app.app.path)/")) {
      app.open.frame.mark?.html ?? app.app.icon.html
      span(.class("label")) { app.app.title.in(language) }
      StatusLabel(
        app.sync.indicator.text.in(language), tone: app.sync.indicator.tone, link: nil)
    }
  }
}
