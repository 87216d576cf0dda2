import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import offshore_apps

struct ErrorPageTests {
  private let request = Request(.get, "/charters?phase=past")

  @Test("A refused request becomes a page with its status and its message")
  func refused() {
    let page = ErrorPage(language: .english).response(HTTPError(.notFound), request)
    #expect(page.status == .notFound)
    #expect(page.text.contains("<h1") && page.text.contains("There is nothing here."))
    #expect(!page.text.contains("Try Again"))
  }

  @Test("The script gets the message alone")
  func scripted() {
    var request = request
    request.headers["Offshore-Tab"] = "x"
    let missing = ErrorPage(language: .english).response(HTTPError(.notFound), request)
    #expect(missing.text == "There is nothing here.")
    #expect(missing.headers["Content-Type"]?.hasPrefix("text/plain") == true)
    let full = ErrorPage(language: .english).response(AppError.database(.full), request)
    #expect(full.status == .serviceUnavailable)
    #expect(full.text.hasPrefix("The disk is full"))
    #expect(full.text.contains("Free some space"))
  }

  @Test("An app's error is said in its words, with the status that fits")
  func known() {
    let cases: [(AppError, Response.Status)] = [
      (.database(.notFound), .notFound), (.content(.tooLarge), .contentTooLarge),
      (.auth(.forbidden), .forbidden), (.auth(.notSignedIn), .unauthorized),
      (.validation(.emptyName), .unprocessableContent), (.database(.busy), .serviceUnavailable),
      (.database(.corrupted(detail: "charters.name")), .internalServerError),
    ]
    for (error, status) in cases {
      let page = ErrorPage(language: .english).response(error, request)
      #expect(page.status == status)
      #expect(page.text.contains(error.localizedMessage.in(.english)), "\(error.id)")
    }
  }

  @Test("Where trying again may help, the page leads back to what was asked for")
  func retry() {
    let busy = ErrorPage(language: .english).response(AppError.database(.busy), request)
    #expect(busy.text.contains("/charters?phase=past"))
    #expect(busy.text.contains("Try Again"))
    let damaged = ErrorPage(language: .english).response(
      AppError.database(.corrupted(detail: "charters.name")), request)
    #expect(!damaged.text.contains("Try Again"))
    // What was posted is not posted again by a link.
    let posted = ErrorPage(language: .english).response(
      AppError.database(.busy), Request(.post, "/charters"))
    #expect(!posted.text.contains("Try Again"))
  }

  @Test("Pages are in the language that is spoken")
  func russian() {
    let page = ErrorPage(language: .russian).response(AppError.database(.notFound), request)
    #expect(page.text.contains(#"<html lang="ru">"#))
    #expect(page.text.contains(AppError.database(.notFound).localizedMessage.in(.russian)))
    #expect(!page.text.contains("Something"))
  }

  @Test("What an unknown error holds is told to nobody")
  func unknown() {
    struct Secret: Error { let value = "4711" }
    let failure = ErrorPage(language: .english).response(Secret(), request)
    #expect(failure.status == .internalServerError)
    #expect(!failure.text.contains("4711") && !failure.text.contains("Secret"))
  }
}
