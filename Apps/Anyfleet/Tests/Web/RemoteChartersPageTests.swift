import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

/// The pages about charters of the server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct RemoteChartersPageTests {
  private let never = Gate()

  private func pages(_ fleet: SyncedFleet) async throws -> Pages {
    Pages(
      try await fleet.makeApp(of: "skipper") { [never] in $0.sleep = { _ in await never.pass() } })
  }

  private func end(_ fleet: SyncedFleet, _ apps: Pages...) async {
    never.open()
    for pages in apps { await pages.dependencies.sync.stop() }
    await fleet.end()
  }

  @Test func `Refreshing shows the charters of other devices, and stays on the list`() async throws
  {
    let fleet = try SyncedFleet()
    let (first, second) = (try await pages(fleet), try await pages(fleet))
    let (charter, _) = try await first.dependencies.makeCharter("Vis")
    try await first.dependencies.waitUntilSent()
    let address = "/charters?filter=upcoming&q=v%20%26"
    let page = await first.get("/charters?filter=upcoming&q=v+%26").text
    #expect(page.contains(#"action="/charters?filter=upcoming&amp;q=v%20%26""#))
    let answer = await second.post(address, ["action": "refresh"])
    #expect(answer.status == .seeOther)
    #expect(answer.headers["Location"] == "/charters?filter=upcoming&q=v%20%26")
    #expect(await second.get("/charters").text.contains("charter-\(charter.id)"))
    await end(fleet, first, second)
  }

  @Test func `If the server cannot be reached, the list stays and shows the reason`() async throws {
    let fleet = try SyncedFleet()
    let pages = try await pages(fleet)
    let (charter, _) = try await pages.dependencies.makeCharter()
    try await pages.dependencies.waitUntilSent()
    fleet.server.isFailing = true
    let answer = await pages.post("/charters", ["action": "refresh"])
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("The server answered with error"))
    #expect(answer.text.contains("charter-\(charter.id)"))
    fleet.server.isFailing = false
    #expect(await pages.post("/charters", ["action": "refresh"]).status == .seeOther)
    await end(fleet, pages)
  }

  @Test func `A charter that only the server has is shown as on its way`() async throws {
    let fleet = try SyncedFleet()
    let first = try await pages(fleet)
    let (charter, _) = try await first.dependencies.makeCharter("Vis")
    try await first.dependencies.waitUntilSent()
    // Signed in, and nothing has arrived yet.
    let second = Pages(try await fleet.makeApp())
    try await second.dependencies.session.signIn(name: "skipper", password: "correct horse")
    let path = "/charters/\(charter.id.uuidString)"
    let page = await second.get(path)
    #expect(page.status == .ok && page.text.contains("It is on its way"))
    #expect(page.text.contains("Vis"))
    #expect(await second.get("/charters/\(UUID().uuidString)").status == .notFound)
    await second.dependencies.sync.start()
    _ = try await second.dependencies.waitForCharter(charter.id)
    #expect(await second.get(path).text.contains(#"id="people-with-access""#))
    await end(fleet, first, second)
  }

  @Test func `A page that waits for a charter shows it when it has arrived`() async throws {
    let fleet = try SyncedFleet()
    let first = try await pages(fleet)
    let (charter, _) = try await first.dependencies.makeCharter("Vis")
    try await first.dependencies.waitUntilSent()
    let app = try await fleet.makeApp()
    try await app.session.signIn(name: "skipper", password: "correct horse")
    let arriving = app.makeArrivingCharter(charter.id)
    #expect(await arriving.find())
    #expect(arriving.charter?.name == "Vis" && !arriving.hasArrived)
    await app.sync.start()
    await waitUntil { arriving.hasArrived }
    #expect(await !app.makeArrivingCharter(charter.id).find(), "it is here")
    await app.sync.stop()
    await end(fleet, first)
  }

  @Test func `An error that keeps a charter from arriving is shown, and the page can retry`()
    async throws
  {
    let fleet = try SyncedFleet()
    let first = try await pages(fleet)
    let (charter, _) = try await first.dependencies.makeCharter("Vis")
    try await first.dependencies.waitUntilSent()
    let app = try await fleet.makeApp { [never] in $0.sleep = { _ in await never.pass() } }
    try await app.session.signIn(name: "skipper", password: "correct horse")
    let arriving = app.makeArrivingCharter(charter.id)
    #expect(await arriving.find())
    #expect(arriving.error == nil)
    try await app.sync.setAirplane(true)
    #expect(arriving.error == .network(.offline))
    let (path, second) = ("/charters/\(charter.id.uuidString)", Pages(app))
    let page = await second.post(path, ["action": "refresh"])
    #expect(page.status == .unprocessableContent && !page.text.contains("It is on its way"))
    #expect(page.text.contains("There is no connection"))
    #expect(page.text.contains(#"value="refresh""#))
    fleet.server.isFailing = true
    try await app.sync.setAirplane(false)
    #expect(await second.post(path, ["action": "refresh"]).status == .unprocessableContent)
    #expect(arriving.error == .network(.server(statusCode: 500)))
    fleet.server.isFailing = false
    let answer = await second.post(path, ["action": "refresh"])
    #expect(answer.status == .seeOther && answer.headers["Location"] == path)
    await waitUntil { arriving.hasArrived && arriving.error == nil }
    try await app.session.signOut()
    #expect(arriving.error == .auth(.notSignedIn))
    await end(fleet, first, second)
  }

  @Test func `A charter whose deletion is pending is shown as deleted, not as on its way`()
    async throws
  {
    let fleet = try SyncedFleet()
    let pages = try await pages(fleet)
    let app = pages.dependencies
    let (charter, _) = try await app.makeCharter("Vis")
    try await app.waitUntilSent()
    await app.sync.stop()
    // Another repository deletes it, so that the store does not know, as after a restart.
    try await app.local.deleteCharter(charter.id)
    let page = await pages.get("/charters/\(charter.id.uuidString)")
    #expect(page.status == .notFound && page.text.contains("was deleted here"))
    guard case .deletedHere = try await app.end(ofCharter: charter.id)?.kind else {
      Issue.record("A deletion that is not sent is not known.")
      return
    }
    await end(fleet, pages)
  }

  @Test func `A server that does not answer delays a page for a moment only`() async throws {
    let fleet = try SyncedFleet()
    let gate = fleet.server.gate
    let app = try await fleet.makeApp(of: "skipper") { $0.sleep = { _ in } }
    gate.close()
    #expect(await Pages(app).get("/charters/\(UUID().uuidString)").status == .notFound)
    gate.open()
    await app.sync.stop()
    await end(fleet)
  }
}
