import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

/// The state of syncing in the bar of every page.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncStatusTests {
  private let fleet: SyncedFleet
  private let pages: Pages

  /// While it is closed, no passing state has lasted long enough for the bar to show it.
  private let gate = Gate()

  /// A phone that is signed in, with everything sent.
  init() async throws {
    let fleet = try SyncedFleet()
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
    await waitUntil { [pages] in pages.dependencies.sync.indicator == .synced }
  }

  private func end() async {
    gate.open()
    await fleet.end(pages.dependencies)
  }

  /// The status in the bar of a page.
  private func status(of page: String) async -> String? {
    await pages.get(page).text
      .firstMatch(of: /<div id="sync-status" data-region><a [^>]*>([^<]*)<\/a><\/div>/)
      .map { String($0.1) }
  }

  @Test func `Every page shows the state of syncing`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    try await pages.dependencies.waitUntilSent()
    await waitUntil { [pages] in pages.dependencies.sync.indicator == .synced }
    for path in [
      "/", "/charters", "/charters/new", charter, "\(charter)/edit", "\(charter)/report", checklist,
      "/library", "/library/guides/new", "/profile", "/profile/account", "/profile/sync",
      "/settings", "/about", "/open",
    ] {
      #expect(await status(of: path) == "Synced", "\(path)")
    }
    pages.dependencies.language.use(.russian)
    #expect(await status(of: "/") == "Синхронизировано")
    await end()
  }

  @Test func `A new charter counts as one change, with its checklists`() async throws {
    let airplane: Fields = ["action": "airplane", "isOn": "true"]
    #expect(await pages.post("/profile/sync", airplane).headers["Location"] == "/profile/sync")
    let charter = try await pages.createCharter()
    await waitUntil { [pages] in
      if case .airplane(let count) = pages.dependencies.sync.indicator { count > 0 } else { false }
    }
    let page = await pages.get("/profile/sync").text
    #expect(page.contains("Kornati week"))
    #expect(page.contains("added · with 3 more things in it"))
    let change = try #require(page.firstMatch(of: /name="change" value="(charters-[^"]+)"/)).1
    let cancel: Fields = ["action": "cancel", "change": String(change)]
    #expect(await pages.post("/profile/sync", cancel).status == .seeOther)
    #expect(await pages.get(charter).status == .notFound)
    await end()
  }

  @Test func `A tick that is sent at once does not change the bar`() async throws {
    let charter = try await pages.createCharter()
    let checklist = try await pages.checklistPath(charter)
    try await pages.dependencies.waitUntilSent()
    await waitUntil { [pages] in pages.dependencies.sync.indicator == .synced }
    let page = await pages.get(checklist).text
    let tab = try pages.tabID(page)
    let item = try #require(pages.itemIDs(page).first)
    let answer = await pages.post(checklist, .tick(item), tab: tab)
    #expect(answer.status == .noContent)
    try await pages.dependencies.waitUntilSent()
    await waitUntil { [pages] in pages.dependencies.sync.storeStatus.pendingCount == 0 }
    #expect(await status(of: "/") == "Synced")
    await end()
  }
}
