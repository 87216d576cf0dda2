import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import OffshoreHost

@MainActor struct ErrorPageTests {
  private let home = HomeFolder()
  private let request = Request(.get, "/memos/memos?phase=past")

  /// Presents an error of a device with some apps.
  private func response(
    _ error: any Error, _ request: Request? = nil, in language: Language = .english,
    apps names: [String] = ["memos"]
  ) async throws -> Response {
    let device = try await TestDevice(
      names.map { MemoApp.named($0) }, in: home, preferring: language)
    let response = ErrorPage(device.apps).response(error, request ?? self.request)
    await device.stop()
    return response
  }

  @Test func `A refused request gets a page with its status and its message`() async throws {
    let page = try await response(HTTPError(.notFound))
    #expect(page.status == .notFound)
    #expect(page.text.contains(">Not found</h1>") && page.text.contains("There is nothing here."))
    #expect(!page.text.contains(">Try again"))
  }

  @Test func `A form that no page has any more says that nothing was changed`() async throws {
    var request = request
    request.method = .post
    let page = try await response(HTTPError(.notFound), request)
    #expect(page.status == .notFound)
    #expect(page.text.contains("The app no longer has this form"))
    let missing = try await response(AppError.database(.notFound), request)
    #expect(!missing.text.contains("no longer has"))
  }

  @Test func `An open page gets the message alone`() async throws {
    var request = request
    request.headers["Offshore-Tab"] = "x"
    let missing = try await response(HTTPError(.notFound), request)
    #expect(missing.text == "There is nothing here.")
    #expect(missing.headers["Content-Type"]?.hasPrefix("text/plain") == true)
    let full = try await response(AppError.database(.full), request)
    #expect(full.status == .serviceUnavailable)
    #expect(full.text.hasPrefix("The disk is full"))
    #expect(full.text.contains("Free some space"))
  }

  @Test func `An error of an app is shown in its words, with a status that fits`() async throws {
    let cases: [(AppError, Response.Status)] = [
      (.database(.notFound), .notFound), (.content(.tooLarge), .contentTooLarge),
      (.auth(.forbidden), .forbidden), (.auth(.notSignedIn), .unauthorized),
      (.validation(.emptyName), .unprocessableContent), (.database(.busy), .serviceUnavailable),
      (.database(.corrupted(detail: "notADatabase")), .internalServerError),
      (.database(.unreadable(.init(column: "name", row: "1"))), .internalServerError),
    ]
    for (error, status) in cases {
      let page = try await response(error)
      #expect(page.status == status)
      #expect(page.text.contains(error.localizedMessage.in(.english)), "\(error.id)")
    }
  }

  @Test func `If trying again may help, the page leads back to the address`() async throws {
    let busy = try await response(AppError.database(.busy))
    #expect(busy.text.contains("href=\"/memos/memos?phase=past\">Try again"))
    let damaged = try await response(AppError.database(.corrupted(detail: "notADatabase")))
    #expect(!damaged.text.contains(">Try again"))
    // A link does not post a form again.
    let posted = try await response(AppError.database(.busy), Request(.post, "/memos/memos"))
    #expect(!posted.text.contains(">Try again"))
  }

  @Test func `A missing row is not requested again`() async throws {
    for error in [AppError.database(.notFound), .content(.notFound)] {
      let page = try await response(error)
      #expect(page.status == .notFound && !page.text.contains(">Try again"))
    }
  }

  @Test(arguments: [
    ("/memos/memos/7", "/memos/memos", "Заметки"), ("/memos/memos?q=x", "/memos/memos", "Заметки"),
    ("/memos/nowhere", "/memos/", "Главная"), ("/memos", "/memos/", "Главная"),
    ("/memos/", "/memos/", "Главная"), ("/elsewhere", "/memos/", "Главная"),
  ])
  func `A page leads to the part of the address, and has the parts of the app`(
    _ path: String, _ address: String, _ title: String
  ) async throws {
    let page = try await response(HTTPError(.notFound), Request(.get, path), in: .russian).text
    #expect(page.contains("<h1 id=\"heading\">Не найдено</h1>"))
    #expect(page.contains("<a href=\"\(address)\">‹ \(title)</a>"))
    #expect(page.contains("href=\"\(address)\">Перейти в раздел «\(title)»</a>"))
    #expect(page.contains("<a href=\"\(address)\" aria-current=\"page\">"))
  }

  @Test func `Of several apps, a page belongs to the one with the path`() async throws {
    let page = try await response(
      HTTPError(.notFound), Request(.get, "/second/nowhere"), apps: ["first", "second"]
    ).text
    #expect(page.contains("href=\"/second/memos\"") && !page.contains("href=\"/first/"))
    let other = try await response(
      HTTPError(.notFound), Request(.get, "/nowhere"), apps: ["first", "second"]
    ).text
    #expect(other.contains("<a href=\"/\">‹ Apps</a>") && !other.contains("<nav"))
  }

  @Test func `A browser without a token gets no links into the app`() async throws {
    let page = try await response(HTTPError(.unauthorized))
    #expect(page.status == .unauthorized && page.text.contains("it has a token."))
    #expect(page.text.contains(">Open the printed address</h1>"))
    #expect(page.text.contains("<code>http://127.0.0.1/?token=…</code>"))
    // By this the script loads the page again if it has the token.
    #expect(page.text.contains(" data-locked"))
    #expect(!page.text.contains("href=\"/memos") && !page.text.contains("<nav"))
  }

  @Test func `Without an app a page is in the language of the device`() async throws {
    let page = ErrorPage([], in: .russian).response(HTTPError(.unauthorized), Request(.get, "/"))
    #expect(page.status == .unauthorized && page.text.contains(#"<html lang="ru">"#))
    #expect(page.text.contains("Откройте напечатанный адрес") && page.text.contains("/assets/"))
  }

  @Test func `A page is in the language of the app`() async throws {
    let page = try await response(AppError.database(.notFound), in: .russian)
    #expect(page.text.contains(#"<html lang="ru">"#))
    #expect(page.text.contains(AppError.database(.notFound).localizedMessage.in(.russian)))
    #expect(!page.text.contains("Something"))
  }

  @Test func `The content of an unknown error is not shown`() async throws {
    struct Secret: Error { let value = "4711" }
    let failure = try await response(Secret())
    #expect(failure.status == .internalServerError)
    #expect(!failure.text.contains("4711") && !failure.text.contains("Secret"))
  }
}
