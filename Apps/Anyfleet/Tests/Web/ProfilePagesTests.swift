import Anyfleet
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import Testing

/// Profile, settings, and what the app is.
@MainActor
struct ProfilePagesTests {
  private let pages: Pages

  init() async throws { pages = try await Pages() }

  @Test func `The profile leads to settings and to what the app is`() async throws {
    let page = await pages.get("/profile")
    #expect(page.status == .ok)
    for address in ["/settings", "/about", "/open"] {
      #expect(page.text.contains(#"href="\#(address)""#))
      #expect(await pages.get(address).status == .ok)
    }
  }

  @Test(arguments: ["/profile", "/settings", "/about", "/open"])
  func `A page belongs to the profile, in the language in use`(path: String) async throws {
    for (language, title) in [(Language.english, "Profile"), (.russian, "Профиль")] {
      pages.dependencies.language.use(language)
      let page = await pages.get(path).text
      #expect(page.contains(#"<html lang="\#(language.code)">"#))
      let current = page.firstMatch(of: /<a href="([^"]+)" aria-current="page">/)
      #expect(current?.1 == "/profile")
      #expect(page.contains("<span>\(title)</span>"))
    }
  }

  @Test func `A language is used and kept when it is answered`() async throws {
    #expect(await pages.get("/settings").text.contains(#"<option value="en" selected>English"#))
    let response = await pages.post("/settings/language", ["language": "ru"])
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/settings")
    let page = await pages.get("/settings").text
    #expect(page.contains(#"<option value="ru" selected>Русский"#))
    #expect(page.contains("Настройки</h1>"))
    #expect(try await pages.dependencies.database.store.languageCode() == "ru")
  }

  @Test func `In an open page the same is answered without another page`() async throws {
    let tab = try pages.tabID(await pages.get("/settings").text)
    let response = await pages.post("/settings/language", ["language": "ru"], tab: tab)
    #expect(response.status == .noContent)
    #expect(Int(response.headers["Offshore-Revision"] ?? "") ?? 0 > 0)
  }

  @Test func `A language that there is not is refused`() async throws {
    for fields: Fields in [["language": "de"], ["language": ""], [:]] {
      #expect(await pages.post("/settings/language", fields).status == .badRequest)
    }
    #expect(pages.dependencies.language.language == .english)
  }

  @Test func `A language that cannot be kept is said beside the field`() async throws {
    try await pages.dependencies.database.database.write {
      _ = try SQL(
        """
        CREATE TRIGGER refuse BEFORE INSERT ON settings
        BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
        """
      ).run($0)
    }
    let response = await pages.post("/settings/language", ["language": "ru"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(#"id="field-language-error""#))
    #expect(response.text.contains(#"<option value="en" selected>"#))
  }

  @Test(arguments: ["/settings", "/about"])
  func `Where the data is and which version this is can be read`(path: String) async throws {
    let page = await pages.get(path).text
    #expect(page.contains(pages.dependencies.database.database.path))
    #expect(page.contains(#"<dd id="version">\#(AppVersion.current)</dd>"#))
  }

  @Test func `What the app is says its licence`() async throws {
    #expect(await pages.get("/about").text.contains("MIT"))
  }

  // MARK: - Links

  private func open(_ link: String) async -> Response {
    await pages.get("/open?" + (["link": link] as Fields).encoded)
  }

  @Test func `A link leads to its page`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    let ids = checklist.matches(of: /[0-9A-F-]{36}/).map { String($0.0) }
    let links = [
      "anyfleet://charter?id=\(ids[0])": charter,
      "anyfleet://execute?charter=\(ids[0])&checklist=\(ids[1])": checklist,
      "anyfleet://charters": "/charters", "anyfleet://profile": "/profile",
      "anyfleet://settings": "/settings", "anyfleet://about": "/about",
      "anyfleet://charter/new": "/charters/new",
    ]
    for (link, page) in links {
      let response = await open(link)
      #expect(response.status == .seeOther, "\(link)")
      #expect(response.headers["Location"] == page, "\(link)")
      #expect(await pages.get(page).status == .ok, "\(page)")
    }
  }

  @Test(arguments: AppTab.allCases)
  func `A tab's link leads to where the tab begins`(tab: AppTab) async {
    let page = await open(tab.link.url(scheme: AppCoordinator.scheme)).headers["Location"]
    #expect(page == (tab == .home ? "/" : "/\(tab.rawValue)"))
  }

  @Test func `Links into the library lead below it`() async {
    let id = UUID()
    for kind in ["checklist", "guide", "deck"] {
      let page = await open("anyfleet://\(kind)?id=\(id)").headers["Location"]
      #expect(page == "/library/\(kind)s/\(id.uuidString)")
    }
  }

  @Test func `What is wrong with a link stands beside it, as it was typed`() async throws {
    let unreadable = await open(#"javascript:alert("1")"#)
    #expect(unreadable.status == .notFound)
    #expect(unreadable.text.contains("This is not a link into Anyfleet."))
    #expect(unreadable.text.contains(#"value="javascript:alert(&quot;1&quot;)""#))
    #expect(unreadable.text.contains(#"aria-invalid="true""#))
    let lost = await open("anyfleet://charter?id=7")
    #expect(lost.status == .notFound)
    #expect(lost.text.contains("This link leads nowhere in Anyfleet."))
    pages.dependencies.language.use(.russian)
    #expect(await open("anyfleet://nowhere").text.contains("В Anyfleet нет такой страницы."))
  }

  @Test(arguments: [
    "", " ", "https://evil.example", "HTTP://evil.example/charters", "anyfleet:///", "anyfleet://",
    "/", "//", "?link=1",
  ])
  func `A link that names no page of the app leads nowhere, and not to the first page`(
    link: String
  ) async {
    let response = await open(link)
    #expect(response.status == .notFound)
    #expect(response.text.contains("This link leads nowhere in Anyfleet."))
  }

  @Test func `Spaces around a pasted link do not matter`() async {
    #expect(await open("  anyfleet://settings \n").headers["Location"] == "/settings")
    #expect(await open(" anyfleet://nowhere ").text.contains(#"value="anyfleet://nowhere""#))
  }

  @Test func `Without a link the page asks for one, and says nothing is wrong`() async throws {
    let page = await pages.get("/open")
    #expect(page.status == .ok)
    #expect(!page.text.contains("aria-invalid"))
    #expect(page.text.contains(#"<form method="get" action="/open""#))
  }

  @Test func `A link to what is gone leads to a page that says so`() async throws {
    let response = await open("anyfleet://charter?id=\(UUID())")
    #expect(response.status == .seeOther)
    #expect(await pages.get(response.headers["Location"] ?? "").status == .notFound)
  }
}
