import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

/// The parts of the account's page that erase the device and sign it out.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ErasurePageTests {
  private let server: LoopbackServer
  private let app: SampleApp
  private let address = "/profile/account"

  init() async throws {
    server = try LoopbackServer()
    app = try await SampleApp(server: server.url)
    try await app.sync.signUp(name: "skipper", password: "correct horse")
  }

  private func erase(_ confirmed: String? = "on") async -> Response {
    var form: Fields = ["action": "erase"]
    if let confirmed { form.items += (["confirmed": confirmed] as Fields).items }
    return await app.post(address, form)
  }

  @Test func `Without the tick nothing is removed, and the form says why`() async throws {
    let page = await app.get(address).text
    #expect(page.contains("Remove all data of skipper from this device"))
    #expect(!page.contains("Tick this to erase the data."))
    let answer = await erase(nil)
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("Tick this to erase the data."))
    #expect(app.sync.session.isSignedIn)
    await server.end(app)
  }

  @Test func `With the tick the device is empty, and another account can sign in`() async throws {
    let answer = await erase()
    #expect(answer.status == .seeOther)
    #expect(answer.headers["Location"] == "\(address)?erased=true")
    #expect(app.sync.session.account == nil)
    let page = await app.get("\(address)?erased=true").text
    #expect(page.contains("Everything was removed from this device."))
    #expect(page.contains(#"name="name""#) && !page.contains("skipper"))
    try await app.sync.signUp(name: "mate", password: "correct horse")
    #expect(await app.get(address).text.contains("mate"))
    await server.end(app)
  }

  @Test func `A device that is signed out is erased, too`() async throws {
    try await app.sync.signOut()
    #expect(await app.get(address).text.contains("Erase and sign out"))
    #expect(await erase().status == .seeOther)
    #expect(app.sync.session.account == nil)
    await server.end(app)
  }

  @Test func `The number of changes that would be lost is shown`() async throws {
    try await app.sync.setAirplane(true)
    #expect(!(await app.get(address).text.contains("erase-unsent")))
    try await app.addList("Kornati")
    await waitUntil { app.sync.storeStatus.pendingCount == 1 }
    #expect(await app.get(address).text.contains("1 change has not been sent, and is lost."))
    await server.end(app)
  }

  @Test func `Signing out asks first if changes are not sent, and says that they stay`()
    async throws
  {
    #expect(!(await app.get(address).text.contains("sign-out-unsent")))
    try await app.sync.setAirplane(true)
    try await app.addList("Kornati")
    await waitUntil { app.sync.storeStatus.pendingCount == 1 }
    #expect(await app.get(address).text.contains("1 change has not been sent. It waits"))
    let refusal = await app.post(address, ["action": "sign-out"])
    #expect(refusal.status == .unprocessableContent)
    #expect(refusal.text.contains("Tick this to sign out.") && app.sync.session.isSignedIn)
    let answer = await app.post(address, ["action": "sign-out", "confirmed": "on"])
    #expect(answer.status == .seeOther && !app.sync.session.isSignedIn)
    await server.end(app)
  }
}
