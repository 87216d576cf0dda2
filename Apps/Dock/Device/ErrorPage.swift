import Anyfleet
import AnyfleetWeb
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The page for what has no page of its own: an unknown address, a refused request, a failure.
struct ErrorPage {
  let language: Language

  /// Answers for what a handler or a guard threw.
  func response(_ error: any Error, _ request: Request) -> Response {
    let known = error is any ResponseError ? nil : knownError(error)
    var response = Response(presenting: known.map { HTTPError(status(of: $0)) } ?? error)
    let message = (known?.localizedMessage ?? .explanation(of: response.status)).in(language)
    let suggestion = known?.recoverySuggestion?.in(language)
    // The script asks by fetch and has no use for a page.
    guard request.headers["Offshore-Tab"] == nil else {
      let text = [message, suggestion].compactMap(\.self).joined(separator: " ")
      response.headers["Content-Type"] = "text/plain; charset=utf-8"
      response.body = .bytes(Array(text.utf8))
      return response
    }
    let part = response.status == .unauthorized ? nil : AppTab(path: request.path)
    let mayHelp =
      request.method == .get && response.status != .notFound
      && known?.isRetryable ?? (response.status.rawValue >= 500)
    let retry = PageAction.link(LocalizedText.tryAgain.in(language), to: request.target)
    let view = ErrorView(
      message, suggestion: suggestion, detail: known?.detail, retry: mayHelp ? retry : way(to: part)
    )
    let page = page(LocalizedText.title(of: response.status).in(language), part) { view }
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.body = .bytes(page.bytes)
    return response
  }

  /// The error in words for people, where there are any; those of others may hold secrets.
  private func knownError(_ error: any Error) -> AppError? {
    if case let known = error.asAppError, known.id != "unknown" { known } else { nil }
  }

  private func status(of error: AppError) -> Response.Status {
    switch error {
    case .database(.notFound), .content(.notFound): .notFound
    case .content(.tooLarge): .contentTooLarge
    case .auth(.forbidden), .content(.limitReached): .forbidden
    case .auth: .unauthorized
    case .validation, .database(.refused): .unprocessableContent
    case .database(.busy), .database(.full), .network, .sync: .serviceUnavailable
    case .content(.unreadable), .database, .unknown: .internalServerError
    }
  }

  private func way(to part: AppTab?) -> PageAction? {
    part.map { .link(LocalizedText.go(to: $0.title.in(language)).in(language), to: $0.address) }
  }

  /// The page, with the ways to the parts of the app; none for who is not let in, since they lead
  /// nowhere then.
  private func page(_ title: String, _ part: AppTab?, @HTMLBuilder content: () -> HTML) -> Page {
    Page(
      title, site: "Anyfleet",
      back: part.map { PageLink($0.title.in(language), to: $0.address) }, words: .in(language),
      navigation: part.map { PageNavigation(current: $0, in: language) }, content: content)
  }
}

extension LocalizedText {
  fileprivate static let tryAgain = LocalizedText(en: "Try Again", ru: "Повторить")

  fileprivate static func go(to part: String) -> LocalizedText {
    LocalizedText(en: "Go to \(part)", ru: "Перейти в раздел «\(part)»")
  }

  fileprivate static func title(of status: Response.Status) -> LocalizedText {
    switch status {
    case .notFound, .gone: LocalizedText(en: "Not Found", ru: "Не найдено")
    case .unauthorized, .forbidden, .methodNotAllowed:
      LocalizedText(en: "This Is Not Allowed", ru: "Это не разрешено")
    default:
      status.rawValue < 500
        ? LocalizedText(en: "This Cannot Be Done", ru: "Это невозможно")
        : LocalizedText(en: "Something Went Wrong", ru: "Что-то пошло не так")
    }
  }

  /// What a status means to people, and what to do.
  fileprivate static func explanation(of status: Response.Status) -> LocalizedText {
    switch status {
    case .badRequest:
      LocalizedText(en: "The request could not be understood.", ru: "Запрос непонятен.")
    case .unauthorized:
      LocalizedText(
        en: "Open the address that the app printed when it started; it has a token.",
        ru: "Откройте адрес, который приложение напечатало при запуске: в нём есть токен.")
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
        en: "This kind of content is not taken here.", ru: "Такое содержимое здесь не принимают.")
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
