import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import Testing

/// The page on which somebody signs up, in and out.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct AccountPagesTests {
  private let fleet: SyncedFleet
  private let pages: Pages
  private let secret = "correct horse"

  init() async throws {
    let fleet = try await SyncedFleet()
    let url = fleet.url
    self.fleet = fleet
    pages = try await Pages { $0.server = url }
  }

  private func signUp() async -> Response {
    await pages.post("/profile/account/sign-up", ["name": "skipper", "password": secret])
  }

  private func end() async { await fleet.end(pages.dependencies) }

  @Test func `One page has a form to sign in, and one for a new account`() async {
    let signIn = await pages.get("/profile/account").text
    #expect(signIn.contains(#"action="/profile/account/sign-in""#))
    #expect(signIn.contains(#"autocomplete="current-password""#))
    let signUp = await pages.get("/profile/account?new=true").text
    #expect(signUp.contains(#"action="/profile/account/sign-up""#))
    #expect(signUp.contains(#"autocomplete="new-password""#))
    await end()
  }

  @Test func `Who signs up is shown on the page, and on the profile`() async throws {
    let response = await signUp()
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/profile/account")
    let page = await pages.get("/profile/account").text
    #expect(page.contains(#"id="account-name">skipper<"#))
    #expect(page.contains(#"action="/profile/account/sign-out""#))
    #expect(await pages.get("/profile").text.contains("Signed in as skipper"))
    try await pages.dependencies.waitUntilSent()
    await end()
  }

  @Test func `What is wrong stands beside its field; the name is kept, the password never`()
    async throws
  {
    let short = await pages.post(
      "/profile/account/sign-up", ["name": "skipper&co", "password": "hunter2"])
    #expect(short.status == .unprocessableContent)
    #expect(short.text.contains(#"id="field-password-error""#))
    #expect(short.text.contains(#"value="skipper&amp;co""#))
    #expect(short.text.contains(#"action="/profile/account/sign-up""#))
    #expect(!short.text.contains("hunter2"))
    let impossible = await pages.post(
      "/profile/account/sign-up", ["name": "skipper&co", "password": secret])
    #expect(impossible.text.contains("An account cannot have this name."))
    let unknown = await pages.post(
      "/profile/account/sign-in", ["name": "skipper", "password": secret])
    #expect(unknown.status == .unprocessableContent)
    #expect(unknown.text.contains("Name and password do not match."))
    #expect(!unknown.text.contains(secret))
    await end()
  }

  @Test func `In an open page the same happens without another page`() async throws {
    let tab = try pages.tabID(await pages.get("/profile/account").text)
    let fields: Fields = ["name": "skipper", "password": secret]
    let refused = await pages.post("/profile/account/sign-in", fields, tab: tab)
    #expect(refused.status == .unprocessableContent)
    let response = await pages.post("/profile/account/sign-up", fields)
    #expect(response.status == .seeOther)
    await end()
  }

  @Test func `Signed out, the page asks for the password of the same account alone`() async throws {
    _ = await signUp()
    #expect(await pages.post("/profile/account/sign-out", [:]).status == .seeOther)
    let page = await pages.get("/profile/account").text
    #expect(page.contains("belongs to skipper"))
    #expect(page.contains(#"type="hidden" name="name" value="skipper""#))
    #expect(page.contains("Continue on This Device"))
    #expect(page.contains("Not synced"))
    #expect(await pages.get("/profile").text.contains("You are signed out") == false)
    #expect(await pages.get("/profile").text.contains("Signed out."))
    let sent: Fields = ["name": "skipper", "password": secret]
    #expect(await pages.post("/profile/account/sign-in", sent).status == .seeOther)
    #expect(await pages.get("/profile/account").text.contains(#"id="account-name">skipper<"#))
    await end()
  }

  @Test func `A changed password is said on the page that follows`() async throws {
    _ = await signUp()
    let wrong = await pages.post(
      "/profile/account/password", ["password": "wrong", "newPassword": "battery staple"])
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.contains(#"id="field-password-error""#))
    #expect(!wrong.text.contains("battery"))
    let response = await pages.post(
      "/profile/account/password", ["password": secret, "newPassword": "battery staple"])
    let page = await pages.get(response.headers["Location"] ?? "").text
    #expect(page.contains("The password is changed."))
    #expect(!(await pages.get("/profile/account").text.contains("The password is changed.")))
    await end()
  }

  @Test(arguments: Language.allCases)
  func `Where the server makes no accounts the page says who does`(language: Language) async throws
  {
    let closed = try await SyncedFleet(opensSignUp: false)
    let url = closed.url
    let pages = try await Pages {
      ($0.server, $0.preferredLanguage) = (url, language)
    }
    let answer = await pages.post(
      "/profile/account/sign-up", ["name": "skipper", "password": secret])
    #expect(answer.status == .unprocessableContent)
    #expect(
      answer.text.contains(
        language == .english ? "makes no accounts by itself" : "сам не создаёт учётных записей"))
    #expect(answer.text.contains("offshore account add"))
    await closed.end(pages.dependencies)
    await end()
  }

  @Test func `Where it was tried too often the page says how long to wait`() async throws {
    var answer: Response
    var tries = 0
    repeat {
      tries += 1
      answer = await pages.post(
        "/profile/account/sign-in", ["name": "skipper", "password": "wrong horse"])
    } while !answer.text.contains("was asked too often") && tries < 100
    #expect(answer.text.contains(/Try again in \d+ seconds?\./))
    await end()
  }

  @Test(arguments: Language.allCases)
  func `Without a server the page says how one is named`(language: Language) async throws {
    let pages = try await Pages { $0.preferredLanguage = language }
    let page = await pages.get("/profile/account").text
    #expect(page.contains("--server URL"))
    #expect(!page.contains("<form"))
    #expect(page.contains(language == .english ? "No server is named" : "Сервер не указан"))
    await fleet.end()
  }
}
