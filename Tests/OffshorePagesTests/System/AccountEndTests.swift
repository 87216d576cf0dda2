import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

/// The parts of the account's page about its signed-in devices and its deletion.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct AccountEndTests {
  private let server: LoopbackServer
  private let app: SampleApp
  private let address = "/profile/account"
  private let secret = "correct horse"

  init() async throws {
    server = try LoopbackServer()
    app = try await SampleApp(server: server.url)
    try await app.sync.signUp(name: "skipper", password: secret)
  }

  private func end() async { await server.end(app) }

  // MARK: - Devices

  @Test func `The page lists the signed-in devices, and signs another one out`() async throws {
    let accounts = AccountClient(HTTPTransport(server.url))
    let tablet = try await accounts.signIn("skipper", secret, device: "Tablet <1>")
    let page = await app.get(address).text
    #expect(page.contains("Signed-in devices") && page.contains("Signed in since"))
    #expect(page.contains("Tablet &lt;1&gt;"))
    #expect(page.matches(of: /This device/).count == 1)
    let ids = page.matches(of: /name="device" value="([0-9a-f]{64})"/).map { String($0.1) }
    #expect(ids.count == 1, "This device has no button.")
    let form: Fields = ["action": "sign-out-device", "device": try #require(ids.first)]
    #expect(await app.post(address, form).status == .seeOther)
    #expect(!(await app.get(address).text.contains("Tablet")))
    await #expect { _ = try await accounts.devices(token: tablet.token) } throws: {
      ($0 as? AccountClient.Failure)?.code == .unauthorized
    }
    #expect(await app.post(address, form).status == .seeOther, "It is signed out already.")
    await end()
  }

  @Test func `An open page shows that a device was signed out`() async throws {
    let accounts = AccountClient(HTTPTransport(server.url))
    _ = try await accounts.signIn("skipper", secret, device: "Tablet")
    let page = await app.get(address)
    let tab = try #require(app.tabID(page))
    let id = try #require(
      page.text.firstMatch(of: /name="device" value="([0-9a-f]{64})"/).map { String($0.1) })
    let done = await app.post(address, ["action": "sign-out-device", "device": id], tab: tab)
    #expect(done.status == .noContent)
    let change = await app.change(of: tab, with: "device-\(id)")
    #expect(change.contains(#""op":"remove""#), "\(change)")
    await end()
  }

  @Test func `Without a connection, the page has the rest`() async throws {
    try await app.sync.setAirplane(true)
    let page = await app.get(address)
    #expect(page.status == .ok && page.text.contains("There is no connection."))
    #expect(page.text.contains(#"name="action" value="sign-out""#))
    let form: Fields = ["action": "sign-out-device", "device": "7"]
    #expect(await app.post(address, form).status == .unprocessableContent)
    await end()
  }

  @Test func `A device that is not signed in is offered no list`() async throws {
    try await app.sync.signOut()
    let page = await app.get(address).text
    #expect(!page.contains("Signed-in devices") && !page.contains("delete-account"))
    await end()
  }

  // MARK: - Deletion

  @Test(arguments: [Language.english, .russian])
  func `The collapsed form explains the effects of the deletion`(language: Language) async throws {
    let app = try await SampleApp(server: server.url, language: language)
    try await app.sync.signIn(name: "skipper", password: secret)
    let page = await app.get(address).text
    #expect(page.contains(/<details id="delete-account"[^>]*>/))
    #expect(!page.contains(/<details id="delete-account"[^>]* open/))
    let isEnglish = language == .english
    #expect(page.contains(isEnglish ? "This cannot be undone." : "Отменить это нельзя."))
    #expect(page.contains(isEnglish ? "stays with the other members" : "остаётся у других"))
    #expect(page.contains(isEnglish ? "The data on this device stays here" : "останутся здесь"))
    #expect(
      page.contains(isEnglish ? "Delete the account skipper for good" : "skipper навсегда"))
    await app.sync.stop()
    await end()
  }

  @Test func `Without the password or the tick nothing is deleted`() async throws {
    let empty = await app.post(address, ["action": "delete-account", "password": ""])
    #expect(empty.status == .unprocessableContent)
    #expect(empty.text.contains(/<details id="delete-account"[^>]* open/))
    for field in ["deletion-password", "field-confirmed"] {
      #expect(empty.text.contains(#"id="\#(field)-error""#), "\(field)")
    }
    #expect(empty.text.contains("Tick this to delete the account."))
    let wrong = await app.post(
      address, ["action": "delete-account", "password": "wrong horse", "confirmed": "on"])
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.contains(#"id="deletion-password-error""#))
    // The form for another password has no error, and no page sends a password back.
    #expect(!wrong.text.contains(#"id="field-password-error""#))
    #expect(!wrong.text.contains("wrong horse"))
    #expect(app.sync.session.isSignedIn)
    await end()
  }

  @Test func `The page that follows says so, and the data stays`() async throws {
    let list = try await app.addList("Weekend")
    let deleted = await app.post(
      address, ["action": "delete-account", "password": secret, "confirmed": "on"])
    #expect(deleted.status == .seeOther)
    #expect(deleted.headers["Location"] == "\(address)?deleted=true")
    let page = await app.get("\(address)?deleted=true").text
    #expect(page.contains("The account skipper is deleted."))
    #expect(!page.contains(#"value="sign-in""#) && page.contains("Continue on this device"))
    let titles = try await app.store.read { try PackingList.find(list.id).all($0) }
    #expect(titles.map(\.title) == ["Weekend"])
    let again = await app.post(
      "\(address)?new=true", ["action": "sign-up", "name": "skipper", "password": secret])
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("This account was deleted."))
    await end()
  }
}
