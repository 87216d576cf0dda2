import Foundation
import Offshore
import OffshoreCalendar
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import Testing

/// Profile, settings, the page about the app, and links into it.
@MainActor
struct ProfilePagesTests {
  private let app: SampleApp

  init() async throws { app = try await SampleApp() }

  @Test func `The profile leads to settings and to the page about the app`() async throws {
    let page = await app.get("/profile")
    #expect(page.status == .ok)
    for address in ["/settings", "/about", "/open"] {
      #expect(page.text.contains(#"href="\#(address)""#))
      #expect(await app.get(address).status == .ok)
    }
  }

  @Test(arguments: ["/profile", "/settings", "/about", "/open"])
  func `A page belongs to the profile, in the language in use`(path: String) async throws {
    for (language, title) in [(Language.english, "Profile"), (.russian, "Профиль")] {
      app.frame.language.use(language)
      let page = await app.get(path).text
      #expect(page.contains(#"<html lang="\#(language.code)">"#))
      let current = page.firstMatch(of: /<a href="([^"]+)" aria-current="page">/)
      #expect(current?.1 == "/profile")
      #expect(page.contains("<span>\(title)</span>"))
    }
  }

  @Test func `A language is used and stored when the form is answered`() async throws {
    #expect(await app.get("/settings").text.contains(#"<option value="en" selected>English"#))
    let response = await app.post("/settings", ["action": "use-language", "language": "ru"])
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/settings")
    let page = await app.get("/settings").text
    #expect(page.contains(#"<option value="ru" selected>Русский"#))
    #expect(page.contains("Настройки</h1>"))
    #expect(try await app.store.languageCode() == "ru")
  }

  @Test func `An open page changes its language itself`() async throws {
    let tab = app.tabID(await app.get("/settings"))
    let response = await app.post(
      "/settings", ["action": "use-language", "language": "ru"], tab: tab)
    #expect(response.status == .noContent)
    #expect(Int(response.headers["Offshore-Revision"] ?? "") ?? 0 > 0)
  }

  @Test func `A language that the app does not have is refused`() async throws {
    for language in ["de", "", "e"] {
      let fields: Fields = ["action": "use-language", "language": language]
      #expect(await app.post("/settings", fields).status == .badRequest)
    }
    #expect(await app.post("/settings", ["language": "ru"]).status == .badRequest)
    #expect(app.frame.language.language == .english)
  }

  @Test func `A language that cannot be stored is reported beside the field`() async throws {
    try await app.store.write {
      _ = try SQL(
        """
        CREATE TRIGGER refuse BEFORE INSERT ON settings
        BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
        """
      ).run($0)
    }
    let response = await app.post("/settings", ["action": "use-language", "language": "ru"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(#"id="field-language-error""#))
    #expect(response.text.contains(#"<option value="en" selected>"#))
  }

  @Test func `The first day of the week is chosen, and anything but a day is refused`()
    async throws
  {
    let setting = WeekdaySetting(.sunday, region: .monday) { _ in }
    let app = try await SampleApp(weekday: setting)
    for text in ["Sunday", "8", "monday "] {
      let refused = await app.post("/settings", ["action": "use-weekday", "weekday": text])
      #expect(refused.status == .badRequest)
      #expect(setting.chosen == .sunday)
    }
    let day = Weekday.saturday.rawValue
    _ = await app.post("/settings", ["action": "use-weekday", "weekday": day])
    #expect(setting.chosen == .saturday)
    _ = await app.post("/settings", ["action": "use-weekday", "weekday": ""])
    #expect(setting.chosen == nil)
  }

  @Test(arguments: ["/settings", "/about"])
  func `The place of the data and the version can be read`(path: String) async throws {
    let page = await app.get(path).text
    #expect(page.contains(app.store.database.path))
    #expect(page.contains(#"<dd id="version">1.2.3</dd>"#))
  }

  @Test func `The page about the app names its licence`() async throws {
    #expect(await app.get("/about").text.contains("MIT"))
  }

  // MARK: - Links

  private func open(_ link: String) async -> Response {
    await app.get("/open?" + (["link": link] as Fields).encoded)
  }

  @Test func `A link has the path of its page, and any query`() async {
    for link in ["packing://settings", "packing:///settings", "/settings"] {
      #expect(await open(link).headers["Location"] == "/settings")
    }
    let link = "packing://profile/account?new=true"
    #expect(await open(link).headers["Location"] == "/profile/account?new=true")
    #expect(await open(link).status == .seeOther)
  }

  @Test func `The problem of a link stands beside it, as it was typed`() async throws {
    let unreadable = await open(#"javascript:alert("1")"#)
    #expect(unreadable.status == .ok)
    #expect(unreadable.text.contains("This is not a link into Packing."))
    #expect(unreadable.text.contains(#"value="javascript:alert(&quot;1&quot;)""#))
    #expect(unreadable.text.contains(#"aria-invalid="true""#))
    let lost = await open("packing://lists/7")
    #expect(lost.text.contains("This link leads nowhere in Packing."))
    app.frame.language.use(.russian)
    #expect(
      await open("packing://nowhere").text.contains("В приложении Packing нет такой страницы."))
  }

  @Test(arguments: [
    "", " ", "https://evil.example", "HTTP://evil.example/charters", "packing:///", "packing://",
    "/", "//", "?link=1",
  ])
  func `A link that names no page of the app leads nowhere, and not to the first page`(
    link: String
  ) async {
    let response = await open(link)
    #expect(response.text.contains("This link leads nowhere in Packing."))
  }

  @Test func `Spaces around a pasted link do not matter`() async {
    #expect(await open("  packing://settings \n").headers["Location"] == "/settings")
    #expect(await open(" packing://nowhere ").text.contains(#"value="packing://nowhere""#))
  }

  @Test func `Without a link the page asks for one, and reports no problem`() async throws {
    let page = await app.get("/open")
    #expect(page.status == .ok)
    #expect(!page.text.contains("aria-invalid"))
    #expect(page.text.contains(#"<form method="get" action="/open""#))
  }
}
