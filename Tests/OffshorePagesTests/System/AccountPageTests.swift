import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

/// The page on which the user signs up, in and out.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct AccountPageTests {
  private let server: LoopbackServer
  private let app: SampleApp
  private let secret = "correct horse"

  init() async throws {
    server = try LoopbackServer()
    app = try await SampleApp(server: server.url)
  }

  private func signUp() async -> Response {
    await app.post(
      "/profile/account?new=true", ["action": "sign-up", "name": "skipper", "password": secret])
  }

  private func end() async { await server.end(app) }

  @Test func `One address has a form for signing in, and one a form for a new account`() async {
    let signIn = await app.get("/profile/account").text
    #expect(signIn.contains(#"name="action" value="sign-in""#))
    #expect(signIn.contains(#"autocomplete="current-password""#))
    let signUp = await app.get("/profile/account?new=true").text
    #expect(signUp.contains(#"name="action" value="sign-up""#))
    #expect(signUp.contains(#"autocomplete="new-password""#))
    await end()
  }

  @Test func `The user who signs up is shown on the page, and on the profile`() async throws {
    let response = await signUp()
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/profile/account")
    let page = await app.get("/profile/account").text
    #expect(page.contains(#"id="account-name">skipper<"#))
    #expect(page.contains(#"name="action" value="sign-out""#))
    #expect(await app.get("/profile").text.contains("Signed in as skipper"))
    try await app.waitUntilSent()
    await end()
  }

  @Test func `A user who signs in for a page goes on to it, and never to another site`()
    async throws
  {
    let then = "?then=%2Fjoin%2Flist%3Fcode%3D7"
    let page = await app.get("/profile/account\(then)").text
    let newAccount = "/profile/account?new=true&amp;then=%2Fjoin%2Flist%3Fcode%3D7"
    #expect(page.contains(#"href="\#(newAccount)""#))
    #expect(page.contains(#"action="/profile/account\#(then)""#))
    let signUp = await app.post(
      "/profile/account?new=true&then=%2Fjoin%2Flist%3Fcode%3D7",
      ["action": "sign-up", "name": "skipper", "password": secret])
    #expect(signUp.headers["Location"] == "/join/list?code=7")
    let signIn: Fields = ["action": "sign-in", "name": "skipper", "password": secret]
    let account = "/profile/account"
    for (next, expected) in [
      ("/join/list?code=7", "/join/list?code=7"), ("//elsewhere.example", account),
      ("https://elsewhere.example", account), ("/\\elsewhere.example", account),
      ("/\t/elsewhere.example", account), ("/live/1", account),
    ] {
      #expect(await app.post(account, ["action": "sign-out"]).status == .seeOther)
      let query = (["then": next] as Fields).encoded
      #expect(await app.post("\(account)?\(query)", signIn).headers["Location"] == expected)
    }
    await end()
  }

  @Test func `A problem stands beside its field; the name is kept, the password never`()
    async throws
  {
    let short = await app.post(
      "/profile/account?new=true",
      ["action": "sign-up", "name": "skipper&co", "password": "hunter2"])
    #expect(short.status == .unprocessableContent)
    #expect(short.text.contains(#"id="field-password-error""#))
    #expect(short.text.contains(#"value="skipper&amp;co""#))
    #expect(short.text.contains(#"action="/profile/account?new=true""#))
    #expect(!short.text.contains("hunter2"))
    let impossible = await app.post(
      "/profile/account?new=true", ["action": "sign-up", "name": "skipper&co", "password": secret])
    #expect(impossible.text.contains("An account cannot have this name."))
    let unknown = await app.post(
      "/profile/account", ["action": "sign-in", "name": "skipper", "password": secret])
    #expect(unknown.status == .unprocessableContent)
    #expect(unknown.text.contains("Name and password do not match."))
    #expect(!unknown.text.contains(secret))
    await end()
  }

  @Test func `An open page shows a problem itself`() async throws {
    let tab = app.tabID(await app.get("/profile/account"))
    let signIn: Fields = ["action": "sign-in", "name": "skipper", "password": secret]
    let refused = await app.post("/profile/account", signIn, tab: tab)
    #expect(refused.status == .unprocessableContent)
    #expect(await signUp().status == .seeOther)
    await end()
  }

  @Test func `Signed out, the page asks for the password of the same account`() async throws {
    _ = await signUp()
    #expect(await app.post("/profile/account", ["action": "sign-out"]).status == .seeOther)
    let page = await app.get("/profile/account").text
    #expect(page.contains("belongs to skipper"))
    #expect(page.contains(#"type="hidden" name="name" value="skipper""#))
    #expect(page.contains("Continue on this device"))
    #expect(page.contains("Not synced"))
    #expect(await app.get("/profile").text.contains("You are signed out") == false)
    #expect(await app.get("/profile").text.contains("Signed out."))
    let sent: Fields = ["action": "sign-in", "name": "skipper", "password": secret]
    #expect(await app.post("/profile/account", sent).status == .seeOther)
    #expect(await app.get("/profile/account").text.contains(#"id="account-name">skipper<"#))
    await end()
  }

  @Test func `Signed out, an account that the server lacks can be created again`() async throws {
    _ = await signUp()
    #expect(await app.post("/profile/account", ["action": "sign-out"]).status == .seeOther)
    #expect(
      await app.get("/profile/account").text.contains(#"href="/profile/account?new=true""#))
    let page = await app.get("/profile/account?new=true").text
    #expect(page.contains("it may lack the account skipper"))
    #expect(page.contains(#"type="hidden" name="name" value="skipper""#))
    #expect(page.contains(#"autocomplete="new-password""#))
    // This server has the account.
    let sent: Fields = ["action": "sign-up", "name": "skipper", "password": secret]
    let refused = await app.post("/profile/account?new=true", sent)
    #expect(refused.status == .unprocessableContent)
    await end()
  }

  @Test func `The page that follows reports the changed password`() async throws {
    _ = await signUp()
    let wrong = await app.post(
      "/profile/account",
      ["action": "change-password", "password": "wrong", "newPassword": "battery staple"])
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.contains(#"id="field-password-error""#))
    #expect(!wrong.text.contains("battery"))
    let response = await app.post(
      "/profile/account",
      ["action": "change-password", "password": secret, "newPassword": "battery staple"])
    let page = await app.get(response.headers["Location"] ?? "").text
    #expect(page.contains("The password is changed."))
    #expect(!(await app.get("/profile/account").text.contains("The password is changed.")))
    await end()
  }

  @Test(arguments: [Language.english, .russian])
  func `The page says how accounts are made if the server makes none`(language: Language)
    async throws
  {
    let closed = try LoopbackServer(opensSignUp: false)
    let app = try await SampleApp(server: closed.url, language: language)
    let answer = await app.post(
      "/profile/account?new=true", ["action": "sign-up", "name": "skipper", "password": secret])
    #expect(answer.status == .unprocessableContent)
    #expect(
      answer.text.contains(
        language == .english ? "makes no accounts by itself" : "сам не создаёт учётных записей"))
    #expect(answer.text.contains("offshore account add"))
    await closed.end(app)
    await end()
  }

  @Test func `After too many attempts the page says how long to wait`() async throws {
    var answer: Response
    var tries = 0
    repeat {
      tries += 1
      answer = await app.post(
        "/profile/account", ["action": "sign-in", "name": "skipper", "password": "wrong horse"])
    } while !answer.text.contains("was asked too often") && tries < 100
    #expect(answer.text.contains(/Try again in \d+ seconds?\./))
    await end()
  }

  @Test(arguments: [Language.english, .russian])
  func `Without a server the page says how to name one`(language: Language) async throws {
    let app = try await SampleApp(language: language)
    let page = await app.get("/profile/account").text
    #expect(page.contains("--server URL"))
    #expect(!page.contains("<form"))
    #expect(page.contains(language == .english ? "No server is named" : "Сервер не указан"))
    await server.end()
  }
}
