import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

/// The page of syncing, and the state of syncing in the bar of every page.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncPageTests {
  private let server: LoopbackServer
  private let app: SampleApp

  /// An app that is signed in and never shows a passing state.
  init() async throws {
    server = try LoopbackServer()
    app = try await SampleApp(server: server.url)
    try await app.sync.signUp(name: "mate", password: "correct horse")
    await waitUntil { [app] in app.sync.indicator == .synced }
  }

  private func end() async { await server.end(app) }

  /// The status in the bar of a page.
  private func status(of page: String = "/profile") async -> String? {
    await app.get(page).text
      .firstMatch(of: /<div id="sync-status" data-region><a [^>]*>([^<]*)<\/a><\/div>/)
      .map { String($0.1) }
  }

  private func post(_ action: String, _ fields: Fields = [:]) async -> Response {
    var form: Fields = ["action": action]
    form.items += fields.items
    return await app.post("/profile/sync", form)
  }

  @Test func `The bar shows the state, and leads to the page`() async throws {
    #expect(await status() == "Synced")
    #expect(
      await app.get("/profile").text.contains(
        #"<a class="status" href="/profile/sync" aria-label="Sync status: Synced" id="status-Synced">"#
      ))
    app.frame.language.use(.russian)
    #expect(await status() == "Синхронизировано")
    await end()
  }

  @Test func `In airplane mode a pending change is counted, listed and cancelled`() async throws {
    #expect(await post("airplane", ["isOn": "true"]).headers["Location"] == "/profile/sync")
    #expect(await status() == "Airplane mode")
    try await app.addList("Weekend", items: "Tent", "Lamp")
    await waitUntil { [app] in app.sync.indicator == .airplane(1) }
    #expect(await status() == "1 change waits")
    let page = await app.get("/profile/sync").text
    #expect(page.contains("List · added · with 2 more things in it"))
    #expect(page.contains(#"aria-checked="true""#))
    let change = try #require(page.firstMatch(of: /name="change" value="([^"]+)"/)).1
    #expect(await post("cancel", ["change": String(change)]).status == .seeOther)
    #expect(try await app.store.read { try PackingList.all.count($0) } == 0)
    let again = await post("cancel", ["change": String(change)])
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("This change could not be cancelled."))
    #expect(await app.get("/profile/sync").text.contains("No changes wait"))
    #expect(await post("airplane", ["isOn": "false"]).status == .seeOther)
    await waitUntil { [app] in app.sync.indicator == .synced }
    await end()
  }

  @Test func `A refused addition stays, is sent again, listed with its reason, and accepted later`()
    async throws
  {
    let bags = (1...3).map { Bag(id: UUID(), litres: $0) }
    for bag in bags {
      try await app.store.write { try bag.insert($0) }
      if bag != bags[2] { try await app.waitUntilSent() }
    }
    for try await changes in app.store.changes.pending()
    where changes.listed.first?.refusal?.nextTry != nil { break }
    let page = await app.get("/profile/sync").text
    #expect(page.contains("One account cannot take part in more of these. Leave one first."))
    #expect(page.contains("Refused once · Next try at"))
    let change = try #require(page.firstMatch(of: /name="change" value="([^"]+)"/)).1
    #expect(await post("send-again", ["change": String(change)]).status == .seeOther)
    for try await changes in app.store.changes.refused() where !changes.isEmpty { break }
    #expect(await app.get("/profile/sync").text.contains("Not accepted"))
    #expect(try await app.store.read { try Bag.all.count($0) } == 3)
    let scope = try ScopeID(kind: "bag", value: bags[0].id.uuidString)
    try await app.store.leave(scope, retainingCopy: false)
    try await app.waitUntilSent()
    let refused = await app.get("/profile/sync").text
    let id = try #require(refused.firstMatch(of: /name="change" value="([0-9]+)"/)).1
    #expect(await post("retry", ["change": String(id)]).status == .seeOther)
    try await app.waitUntilSent()
    #expect(await app.get("/profile/sync").text.contains("No changes wait"))
    #expect(try await app.store.read { try Bag.all.count($0) } == 2)
    await end()
  }

  @Test func `An item of a list that is sent already is cancelled in one step`() async throws {
    let list = try await app.addList("Weekend")
    try await app.waitUntilSent()
    _ = await post("airplane", ["isOn": "true"])
    try await app.store.write {
      try Item(id: UUID(), listID: list.id, title: "Tent").insert($0)
    }
    await waitUntil { [app] in app.sync.indicator == .airplane(1) }
    let page = await app.get("/profile/sync").text
    // The app names no kind for items: the title and the list do.
    #expect(page.contains("Tent<small>Weekend · added"))
    #expect(!page.contains("<summary>Cancel…"))
    await end()
  }

  @Test func `The line after a return stands beside the offer to undo a removal`() async throws {
    app.frame.offerUndo(LocalizedText(verbatim: "Weekend was deleted.")) {}
    _ = await post("airplane", ["isOn": "true"])
    try await app.addList("Vis")
    await waitUntil { [app] in app.sync.indicator == .airplane(1) }
    _ = await post("airplane", ["isOn": "false"])
    await waitUntil { [app] in app.sync.reconnectionSummary != nil }
    let page = await app.get("/settings").text
    #expect(page.contains("Weekend was deleted.") && page.contains("1 change sent. "))
    await end()
  }

  @Test func `The number of changes has its plurals`() async throws {
    _ = await post("airplane", ["isOn": "true"])
    for count in 1...5 {
      try await app.addList("List \(count)")
      await waitUntil { [app] in app.sync.indicator == .airplane(count) }
      app.frame.language.use(.english)
      #expect(await status() == "\(count) \(count == 1 ? "change waits" : "changes wait")")
      app.frame.language.use(.russian)
      let forms = [1: "изменение ждёт", 5: "изменений ждут"]
      #expect(await status() == "\(count) \(forms[count] ?? "изменения ждут")")
    }
    await end()
  }

  @Test func `The page syncs at once, and refuses a form without a value`() async throws {
    #expect(await post("sync-now").status == .seeOther)
    #expect(await app.get("/profile/sync").text.contains("Last synced "))
    #expect(await post("airplane").status == .badRequest)
    #expect(await post("cancel").status == .badRequest)
    #expect(await post("retry", ["change": "x"]).status == .badRequest)
    #expect(await app.post("/profile/sync", [:]).status == .badRequest)
    await end()
  }

  @Test func `A refused change is listed with its reason, and discarded`() async throws {
    try await app.store.write {
      _ = try SQL(
        """
        INSERT INTO _dead (at, tbl, id, code, message)
        VALUES (1803924000000, 'lists', 'x', 'gone', '')
        """
      ).run($0)
    }
    let page = await app.get("/profile/sync").text
    #expect(page.contains("Not accepted</h2>"))
    #expect(page.contains("It was deleted on another device."))
    let id = try #require(page.firstMatch(of: /id="refused-(\d+)"/)).1
    #expect(await post("discard", ["change": String(id)]).status == .seeOther)
    #expect(await !app.get("/profile/sync").text.contains("Not accepted"))
    await end()
  }

  @Test func `Changes that a restored server lacks are counted, and explained in both languages`()
    async throws
  {
    try await app.store.write { writer in
      for (id, code) in [("x", "lostByRestore"), ("y", "lostByRestore"), ("z", "gone")] {
        try SQL(
          """
          INSERT INTO _dead (at, tbl, id, code, message)
          VALUES (1803924000000, 'lists', \(id), \(code), '')
          """
        ).run(writer)
      }
    }
    let page = await app.get("/profile/sync").text
    #expect(
      page.contains(
        "The server was restored from an older copy. 2 changes that it lacks are kept here."))
    #expect(page.contains("The server was restored from an older copy, which lacks it."))
    app.frame.language.use(.russian)
    let translated = await app.get("/profile/sync").text
    #expect(translated.contains("Здесь сохранены 2 изменения, которых в ней нет."))
    #expect(translated.contains("Сервер восстановили из старой копии, в которой этого нет."))
    await end()
  }

  @Test func `Signed out, the bar leads to the account, and pending changes are listed`()
    async throws
  {
    _ = await post("airplane", ["isOn": "true"])
    try await app.addList("Weekend")
    try await app.sync.signOut()
    let page = await app.get("/profile/sync").text
    #expect(page.contains(#"<a class="status none" href="/profile/account""#))
    #expect(page.contains("Signed out") && page.contains("Weekend"))
    #expect(!page.contains(#"id="airplane""#))
    await end()
  }
}
