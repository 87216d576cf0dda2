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
    #expect(page.text.contains(">Not Found</h1>") && page.text.contains("There is nothing here."))
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
      (.database(.corrupted(detail: "notADatabase")), .internalServerError),
      (.database(.unreadable(.init(column: "name", row: "1"))), .internalServerError),
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
      AppError.database(.corrupted(detail: "notADatabase")), request)
    #expect(!damaged.text.contains("Try Again"))
    // What was posted is not posted again by a link.
    let posted = ErrorPage(language: .english).response(
      AppError.database(.busy), Request(.post, "/charters"))
    #expect(!posted.text.contains("Try Again"))
  }

  @Test("What is missing is not tried again")
  func missing() {
    for error in [AppError.database(.notFound), .content(.notFound)] {
      let page = ErrorPage(language: .english).response(error, request)
      #expect(page.status == .notFound && !page.text.contains("Try Again"))
    }
  }

  @Test(
    "A page leads to the part that the address belongs to, and has the parts of the app",
    arguments: [
      ("/charters/7", "/charters", "Чартеры"), ("/charters?q=x", "/charters", "Чартеры"),
      ("/library/decks/7/study", "/library", "Библиотека"), ("/open", "/profile", "Профиль"),
      ("/settings/x", "/profile", "Профиль"), ("/nowhere", "/", "Главная"), ("/", "/", "Главная"),
    ])
  func parts(_ path: String, _ address: String, _ title: String) {
    let page = ErrorPage(language: .russian).response(HTTPError(.notFound), Request(.get, path))
      .text
    #expect(page.contains("<h1 id=\"heading\">Не найдено</h1>"))
    #expect(page.contains("<a href=\"\(address)\">‹ \(title)</a>"))
    #expect(page.contains("href=\"\(address)\">Перейти в раздел «\(title)»</a>"))
    #expect(page.contains("<a href=\"\(address)\" aria-current=\"page\">"))
  }

  @Test("Who is not let in gets no ways into the app")
  func unauthorized() {
    let page = ErrorPage(language: .english).response(HTTPError(.unauthorized), request)
    #expect(page.status == .unauthorized && page.text.contains("it has a token."))
    #expect(!page.text.contains("href=\"/charters\"") && !page.text.contains("<nav"))
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
