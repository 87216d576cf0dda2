import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// The page for what has no page of its own: an unknown address, a refused request, a failure.
enum ErrorPage {
  static func response(_ error: any Error, _ request: Request) -> Response {
    var response = Response(presenting: presented(error))
    // The script asks by fetch and has no use for a page.
    guard request.headers["Offshore-Tab"] == nil else { return response }
    let message = response.text
    let page = Page("Something Is Missing", back: PageLink("Anyfleet", to: "/")) {
      ErrorView(message)
    }
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.body = .bytes(page.bytes)
    return response
  }

  /// An error of an app's with the status that fits it.
  private static func presented(_ error: any Error) -> any Error {
    guard let error = error as? AppError else { return error }
    return switch error {
    case .database(.notFound), .content(.notFound): HTTPError(.notFound, error.localizedMessage)
    case .auth: HTTPError(.forbidden, error.localizedMessage)
    case .validation: HTTPError(.unprocessableContent, error.localizedMessage)
    default: error
    }
  }
}
