import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// The page for what has no page of its own: an unknown address, a refused request, a failure.
enum ErrorPage {
  static func response(_ error: any Error, _ request: Request) -> Response {
    let known = error is any ResponseError ? nil : knownError(error)
    var response = Response(presenting: known.map { HTTPError(status(of: $0)) } ?? error)
    let message = known?.localizedMessage.in(.english) ?? response.text
    let suggestion = known?.recoverySuggestion?.in(.english)
    // The script asks by fetch and has no use for a page.
    guard request.headers["Offshore-Tab"] == nil else {
      response.body = .bytes(
        Array([message, suggestion].compactMap(\.self).joined(separator: " ").utf8))
      return response
    }
    let mayHelp = request.method == .get && known?.isRetryable ?? (response.status.rawValue >= 500)
    let page = Page(title(of: response.status), back: PageLink("Anyfleet", to: "/")) {
      ErrorView(
        message, suggestion: suggestion,
        retry: mayHelp ? .link("Try Again", to: request.target) : nil)
    }
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.body = .bytes(page.bytes)
    return response
  }

  /// The error in words for people, where there are any; those of others may hold secrets.
  private static func knownError(_ error: any Error) -> AppError? {
    if case let known = error.asAppError, known.id != "unknown" { known } else { nil }
  }

  private static func status(of error: AppError) -> Response.Status {
    switch error {
    case .database(.notFound), .content(.notFound): .notFound
    case .content(.tooLarge): .contentTooLarge
    case .auth(.forbidden): .forbidden
    case .auth: .unauthorized
    case .validation: .unprocessableContent
    case .database(.busy), .database(.full), .network, .sync: .serviceUnavailable
    case .content(.unreadable), .database, .unknown: .internalServerError
    }
  }

  private static func title(of status: Response.Status) -> String {
    switch status {
    case .notFound, .gone: "Something Is Missing"
    case .unauthorized, .forbidden, .methodNotAllowed: "This Is Not Allowed"
    default: status.rawValue < 500 ? "This Cannot Be Done" : "Something Went Wrong"
    }
  }
}
