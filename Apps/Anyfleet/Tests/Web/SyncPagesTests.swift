import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import Testing

/// How syncing stands, in the bar of every page and on a page of its own.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncPagesTests {
  private let fleet: SyncedFleet
  private let pages: Pages

  /// Until it opens, nothing has lasted so long that the bar says what passes by itself.
  private let gate = Gate()

  /// A phone that is signed in, of which the server has everything.
  init() async throws {
    let fleet = try await SyncedFleet()
    let url = fleet.url
    self.fleet = fleet
    let gate = gate
    pages = try await Pages {
      $0.server = url
      $0.sleep = { _ in await gate.pass() }
    }
    try await pages.dependencies.session.signUp(name: "skipper", password: "correct horse")
    await pages.dependencies.sync.start()
    try await pages.dependencies.waitUntilSent()
    await until { [pages] in pages.dependencies.sync.indicator == .synced }
  }

  private func end() async {
    gate.open()
    await fleet.end(pages.dependencies)
  }

  /// What the bar of a page says.
  private func status(of page: String) async -> String? {
    await pages.get(page).text
      .firstMatch(of: /<div id="sync-status" data-region><a [^>]*>([^<]*)<\/a><\/div>/)
      .map { String($0.1) }
  }

  private func setAirplane(_ isOn: Bool) async -> Response {
    await pages.post("/profile/sync/airplane", ["isOn": "\(isOn)"])
  }

  @Test func `Every page says how syncing stands, and leads to more`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    try await pages.dependencies.waitUntilSent()
    await until { [pages] in pages.dependencies.sync.indicator == .synced }
    for path in [
      "/", "/charters", "/charters/new", charter, "\(charter)/edit", "\(charter)/report", checklist,
      "/library", "/library/guides/new", "/profile", "/profile/account", "/profile/sync",
      "/settings", "/about", "/open",
    ] {
      #expect(await status(of: path) == "Synced", "\(path)")
    }
    #expect(
      await pages.get("/").text.contains(
        #"<a class="status" href="/profile/sync" aria-label="Sync status: Synced">"#))
    pages.dependencies.language.use(.russian)
    #expect(await status(of: "/") == "Синхронизировано")
    await end()
  }

  @Test func `In airplane mode what waits is counted, listed, and cancelled`() async throws {
    #expect(await setAirplane(true).headers["Location"] == "/profile/sync")
    #expect(await status(of: "/") == "Airplane mode")
    let charter = try await pages.createCharter()
    await until { [pages] in
      if case .airplane(let count) = pages.dependencies.sync.indicator { count > 0 } else { false }
    }
    #expect(try #require(await status(of: "/")).hasPrefix("Airplane mode, "))
    let page = await pages.get("/profile/sync").text
    #expect(page.contains("Kornati week"))
    #expect(page.contains("Charter · added · with 3 more things in it"))
    #expect(page.contains(#"aria-checked="true""#))
    let cancel = try #require(page.firstMatch(of: /action="([^"]+\/cancel)"/)).1
    #expect(await pages.post(String(cancel), [:]).status == .seeOther)
    #expect(await pages.get(charter).status == .notFound)
    let again = await pages.post(String(cancel), [:])
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("This change could not be cancelled."))
    #expect(await pages.get("/profile/sync").text.contains("Nothing waits"))
    #expect(await setAirplane(false).status == .seeOther)
    await until { [pages] in pages.dependencies.sync.indicator == .synced }
    await end()
  }

  @Test func `The numbers have their plurals`() async throws {
    _ = await setAirplane(true)
    let library = pages.dependencies.libraryRepository
    for count in 1...5 {
      let checklist = Checklist(
        id: UUID(), title: "Own", sections: [], creatorID: pages.dependencies.session.userID)
      try await library.saveChecklist(checklist)
      await until { [pages] in pages.dependencies.sync.indicator == .airplane(count) }
      pages.dependencies.language.use(.english)
      let english = await status(of: "/")
      #expect(english == "Airplane mode, \(count) \(count == 1 ? "change waits" : "changes wait")")
      pages.dependencies.language.use(.russian)
      let russian = await status(of: "/")
      let forms = [1: "изменение ждёт", 5: "изменений ждут"]
      #expect(russian == "Режим полёта, \(count) \(forms[count] ?? "изменения ждут")")
      let page = await pages.get("/profile/sync").text
      #expect(page.contains("\(count) \(forms[count] ?? "изменения ждут")"))
    }
    await end()
  }

  @Test func `Asked for, it syncs, and a form without a state is refused`() async throws {
    let response = await pages.post("/profile/sync/now", [:])
    #expect(response.status == .seeOther)
    #expect(await pages.get("/profile/sync").text.contains("Last synced "))
    #expect(await pages.post("/profile/sync/airplane", [:]).status == .badRequest)
    #expect(await pages.post("/profile/sync/refused/x/retry", [:]).status == .notFound)
    await end()
  }

  @Test func `Signed out, the bar leads to the account, and what waits is still listed`()
    async throws
  {
    _ = await setAirplane(true)
    _ = try await pages.createCharter()
    try await pages.dependencies.session.signOut()
    await pages.dependencies.sync.start()
    let page = await pages.get("/profile/sync").text
    #expect(page.contains(#"<a class="status none" href="/profile/account""#))
    #expect(page.contains("Signed out") && page.contains("Kornati week"))
    #expect(!page.contains("/profile/sync/airplane"))
    await end()
  }

  @Test func `A tick that is sent at once changes no bar`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    try await pages.dependencies.waitUntilSent()
    await until { [pages] in pages.dependencies.sync.indicator == .synced }
    let page = await pages.get(checklist).text
    let tab = try pages.tabID(page)
    let item = try #require(pages.itemPaths(page).first)
    let answer = await pages.post(item, ["isOn": "true"], tab: tab)
    #expect(answer.status == .noContent)
    try await pages.dependencies.waitUntilSent()
    await until { [pages] in pages.dependencies.sync.storeStatus.pendingCount == 0 }
    // Nothing but the item and what counts it: the bar says what it said.
    #expect(await status(of: "/") == "Synced")
    await end()
  }
}
