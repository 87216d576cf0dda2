package import OffshoreHTTP
import OffshorePages
package import OffshorePresentation
import OffshoreWeb

/// The page in place of one that cannot be shown, because its address is unknown or the request was
/// refused or failed.
@MainActor package struct ErrorPage {
  private let apps: [RunningApp]
  private let language: Language?

  /// Creates the page for the addresses of some apps.
  ///
  /// - Parameter language: the language at addresses that belong to no app; that of the first app
  ///   by default.
  package init(_ apps: [RunningApp], in language: Language? = nil) {
    self.apps = apps
    self.language = language
  }

  /// Returns the response to an error of a handler or a guard.
  package func response(_ error: any Error, _ request: Request) -> Response {
    let app = app(of: request)
    let language = app?.language ?? language ?? AppsPage.language(of: apps)
    let known = error is any ResponseError ? nil : knownError(error)
    var response = Response(presenting: known.map { HTTPError($0.status) } ?? error)
    let message =
      (known?.localizedMessage ?? .explanation(of: response.status, request.method)).in(language)
    let isUnauthenticated = known == nil && response.status == .unauthorized
    let suggestion =
      (known?.recoverySuggestion ?? (isUnauthenticated ? .openPrintedAddressHint : nil))?.in(
        language)
    // An open page shows the text by itself.
    guard request.headers["Offshore-Tab"] == nil else {
      let text = [message, suggestion].compactMap(\.self).joined(separator: " ")
      response.headers["Content-Type"] = "text/plain; charset=utf-8"
      response.body = .bytes(Array(text.utf8))
      return response
    }
    let base = app?.app.path ?? ""
    let wayBack = response.status == .unauthorized ? nil : wayBack(request, in: app)
    let action =
      Self.isWorthRetrying(request, response.status, known)
      ? PageAction.link(
        LocalizedText.tryAgain.in(language), to: Self.address(request.target, below: base))
      : wayBack.map {
        .link(LocalizedText.goTo($0.link.title).in(language), to: $0.link.address)
      }
    let page = Page(
      (isUnauthenticated ? .openPrintedAddress : LocalizedText.title(of: response.status)).in(
        language),
      appName: app?.openApp.frame.name.in(language) ?? "", back: wayBack?.link,
      texts: .in(language),
      navigation: wayBack?.navigation
    ) {
      if isUnauthenticated, let suggestion {
        // The icons require a token.
        EmptyView(title: message, text: suggestion)
        // The script loads the page again if it has the launch token.
        p(.class("state"), .data("locked", "")) { code { Self.sampleAddress(request) } }
      } else {
        ErrorView(message, suggestion: suggestion, detail: known?.detail, retry: action)
      }
    }
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.body = .bytes(page.bytes(below: base))
    return response
  }

  /// Returns whether the same request may succeed if it is sent again.
  private static func isWorthRetrying(
    _ request: Request, _ status: Response.Status, _ error: AppError?
  ) -> Bool {
    request.method == .get && status != .notFound
      && error?.isRetryable ?? (status.rawValue >= 500)
  }

  /// Returns a sample of the address that the app printed.
  private static func sampleAddress(_ request: Request) -> String {
    "http://\(request.headers["Host"] ?? "127.0.0.1")/?token=…"
  }

  /// Returns the error in a form for users, or `nil` for other errors, whose descriptions may
  /// contain secrets.
  private func knownError(_ error: any Error) -> AppError? {
    if case let known = error.asAppError, known.id != "unknown" { known } else { nil }
  }

  // MARK: - Links back

  /// Returns the app of an address: the one with its path, or the only one.
  private func app(of request: Request) -> RunningApp? {
    let name = request.components?.first
    return apps.first { $0.app.name == name } ?? (apps.count == 1 ? apps.first : nil)
  }

  /// Returns the link back from a page, to a part of the app or to the list of apps, and the
  /// navigation of the page.
  private func wayBack(
    _ request: Request, in app: RunningApp?
  ) -> (link: PageLink, navigation: PageNavigation?)? {
    guard let app else {
      let title = LocalizedText.apps.in(AppsPage.language(of: apps))
      return (PageLink(title, to: "/"), nil)
    }
    let frame = app.openApp.frame
    guard let part = frame.part(of: Self.address(request.path, below: app.app.path)) else {
      return nil
    }
    return (
      PageLink(frame.say(part.title), to: part.address), frame.navigation(part.id)
    )
  }

  /// Returns the requested address relative to the path of an app.
  private static func address(_ target: String, below base: String) -> String {
    guard target == base || target.hasPrefix("\(base)/") || target.hasPrefix("\(base)?") else {
      return target
    }
    let rest = target.dropFirst(base.count)
    return rest.hasPrefix("/") ? String(rest) : "/\(rest)"
  }
}

extension LocalizedText {
  fileprivate static let tryAgain = LocalizedText(en: "Try again", ru: "Повторить")

  fileprivate static let openPrintedAddress = LocalizedText(
    en: "Open the printed address", ru: "Откройте напечатанный адрес")
  fileprivate static let openPrintedAddressHint = LocalizedText(
    en: """
      Open the address that the app printed when it started; it has a token. After that, this page \
      opens too.
      """,
    ru: """
      Откройте адрес, который приложение напечатало при запуске: в нём есть токен. После этого \
      откроется и эта страница.
      """)

  fileprivate static func title(of status: Response.Status) -> LocalizedText {
    switch status {
    case .notFound, .gone: LocalizedText(en: "Not found", ru: "Не найдено")
    case .unauthorized, .forbidden, .methodNotAllowed:
      LocalizedText(en: "This is not allowed", ru: "Это не разрешено")
    default:
      status.rawValue < 500
        ? LocalizedText(en: "This cannot be done", ru: "Это невозможно")
        : LocalizedText(en: "Something went wrong", ru: "Что-то пошло не так")
    }
  }

  /// Returns a sentence about the status of a response and its remedy.
  fileprivate static func explanation(
    of status: Response.Status, _ method: Request.Method
  ) -> LocalizedText {
    switch status {
    case .notFound where method == .post:
      LocalizedText(
        en:
          "The app no longer has this form, perhaps because of an update. Nothing was changed. Copy "
          + "the text you typed, open the page again, and repeat it.",
        ru:
          "В приложении больше нет этой формы, возможно, из-за обновления. Ничего не изменилось. "
          + "Скопируйте введённое, откройте страницу заново и повторите.")
    case .badRequest:
      LocalizedText(en: "The request could not be understood.", ru: "Запрос непонятен.")
    case .unauthorized:
      LocalizedText(
        en: "This browser has no permission yet.", ru: "У этого браузера ещё нет разрешения.")
    case .forbidden:
      LocalizedText(
        en: "This came from another site. Open the page and try there.",
        ru: "Это пришло с другого сайта. Откройте страницу и попробуйте там.")
    case .notFound, .gone: LocalizedText(en: "There is nothing here.", ru: "Здесь ничего нет.")
    case .methodNotAllowed:
      LocalizedText(en: "This cannot be done here.", ru: "Здесь это сделать нельзя.")
    case .contentTooLarge:
      LocalizedText(en: "This is too large to be sent.", ru: "Это слишком велико для отправки.")
    case .unprocessableContent:
      LocalizedText(en: "Something in this is not valid.", ru: "Здесь что-то неверно.")
    case .unsupportedMediaType:
      LocalizedText(
        en: "This kind of content is not accepted here.", ru: "Такое содержимое здесь не принимают."
      )
    case .serviceUnavailable:
      LocalizedText(
        en: "This is not available now. Try again in a moment.",
        ru: "Сейчас это недоступно. Попробуйте чуть позже.")
    default:
      status.rawValue < 500
        ? LocalizedText(en: "This cannot be done.", ru: "Это сделать нельзя.")
        : LocalizedText(
          en: "Something went wrong. Try again.", ru: "Что-то пошло не так. Попробуйте ещё раз.")
    }
  }
}
