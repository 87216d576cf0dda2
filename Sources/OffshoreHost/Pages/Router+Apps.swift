import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

extension Router {
  /// Creates the router of a device: each app below its path, and the page that lists them.
  ///
  /// - Parameters:
  ///   - tabs: the open pages of all apps.
  ///   - token: the token that a browser must present.
  ///   - dock: the origin of the page that may frame the pages, if the device belongs to a dock.
  @MainActor init(of apps: [RunningApp], tabs: TabRegistry, token: LaunchToken, dock: String?) {
    let errors = ErrorPage(apps)
    self.init(
      middleware: Middleware.deviceSecurity(token: token, framingOrigins: dock.map { [$0] } ?? []),
      presentError: { error, request in await errors.response(error, request) })
    addLivePages(tabs)
    get(WebAddress.apps) { _ in .redirect(to: "/") }
    for app in apps {
      app.openApp.frame.hasOtherApps = apps.count > 1
      mount(app.pages, at: app.app.path)
    }
    if apps.count == 1, let only = apps.first {
      get("") { _ in .redirect(to: "\(only.app.path)/") }
    } else {
      get("") { try await tabs.open($0) { AppsPage(apps: apps) } }
    }
    addFormerAddresses(of: apps)
  }

  /// Redirects the addresses of pages without the app's path, which were used when a device had one
  /// app.
  ///
  /// After the status 308, browsers send a form again unchanged.
  @MainActor private mutating func addFormerAddresses(of apps: [RunningApp]) {
    let usedComponents = AppName.hostPaths.union(apps.map(\.app.name) + ["", "favicon.ico"])
    let schemes = apps.map { (scheme: $0.openApp.frame.links.scheme, name: $0.app.name) }
    var appNames: [FormerRoute: [String]] = [:]
    for app in apps {
      for (method, pattern) in app.pages.routeList {
        let former = FormerRoute(method, pattern)
        if !usedComponents.contains(former.first) {
          appNames[former, default: []].append(app.app.name)
        }
      }
    }
    for (former, names) in appNames {
      on(former.method, former.pattern, bodyLimit: Self.formerFormLimit) { request in
        let linked = schemes.first { $0.scheme == request.linkScheme }?.name
        return Self.redirect(request, to: names.first { $0 == linked } ?? names.first ?? "")
      }
    }
  }

  /// The maximum size of a former form in bytes, above that of all forms. The body is discarded.
  private static let formerFormLimit = 4 << 20

  private static func redirect(_ request: Request, to app: String) -> Response {
    // NB: The redirect must not be stored: another program may use the port later.
    Response(
      .permanentRedirect,
      headers: ["Location": "/\(app)\(request.target)", "Cache-Control": "no-store"])
  }
}

/// A route of an app. Its parameters are named by their positions, so that equal patterns of
/// several apps are equal.
private struct FormerRoute: Hashable {
  let method: Request.Method
  let pattern: String
  /// The first component; empty for the first page, which is the host's.
  let first: String

  init(_ method: Request.Method, _ pattern: String) {
    self.method = method
    let components = pattern.split(separator: "/").enumerated().map { index, component in
      component.first == ":" ? ":\(index)" : String(component)
    }
    self.pattern = components.joined(separator: "/")
    first = components.first ?? ""
  }
}

extension Request {
  /// The scheme of the deep link in the query, which identifies the app.
  fileprivate var linkScheme: String? {
    query["link"]?.trimmingCharacters(in: .whitespacesAndNewlines)
      .split(separator: ":").first?.lowercased()
  }
}

/// The first page of a device with several apps, which lists them with their states of syncing.
struct AppsPage: LivePage {
  let apps: [RunningApp]

  func page(_ tab: Tab) -> Page {
    let language = Self.language(of: apps)
    return Page(LocalizedText.apps.in(language), texts: .in(language)) {
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
      app.openApp.frame.mark?.html ?? app.app.icon.html
      span(.class("label")) { app.app.title.in(language) }
      if let badge = app.openApp.badge() {
        Badge(
          badge.text, label: badge.label.in(app.language),
          language: app.language == language ? nil : app.language.code)
      }
      StatusLabel(
        app.sync.indicator.text.in(language), tone: app.sync.indicator.tone, link: nil)
    }
  }
}
