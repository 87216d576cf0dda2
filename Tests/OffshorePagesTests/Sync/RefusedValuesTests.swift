import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import OffshorePages

/// The values of refused changes on the page of syncing, and the way to edit them. An account takes part in
/// two bags at the most.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct RefusedValuesTests {
  private let server: LoopbackServer
  private let app: SampleApp

  /// A third bag, of 30 litres, is refused for good.
  init() async throws {
    server = try LoopbackServer()
    app = try await SampleApp(server: server.url)
    let litres = LocalizedText(en: "Litres", ru: "Литры")
    let kind = OpenConflicts.Kind(
      "bag", [HistoryTable(Bag.self, fields: [.number(\.litres, label: litres)])]
    ) { _, context in "/bags/\(context.scope.value)/edit" }
    app.frame.conflictKinds.withLock { $0 = [kind] }
    try await app.sync.signUp(name: "mate", password: "correct horse")
    await waitUntil { [app] in app.sync.indicator == .synced }
    for litres in [10, 20, 30] {
      try await app.store.write { try Bag(id: UUID(), litres: litres).insert($0) }
      if litres < 30 { try await app.waitUntilSent() }
    }
    for try await changes in app.store.changes.pending()
    where changes.listed.first?.refusal?.nextTry != nil {
      let change = try #require(changes.listed.first)
      try await app.store.changes.sendAgain(change.id)
      break
    }
    for try await changes in app.store.changes.refused() where !changes.isEmpty { break }
  }

  private func page() async -> String { await app.get("/profile/sync").text }

  private func bag(_ litres: Int) async throws -> Bag {
    try await app.store.read { try #require(try Bag.where { $0.litres == litres }.first($0)) }
  }

  @Test func `A refused addition shows its values in words, and its reason`() async throws {
    let page = await page()
    #expect(page.contains("Litres: 30"))
    #expect(page.contains("One account cannot take part in more of these. Leave one first."))
    app.frame.language.use(.russian)
    #expect(await self.page().contains("Литры: 30"))
    await server.end(app)
  }

  @Test func `A refused addition links to the page that edits it, until it is accepted`()
    async throws
  {
    let bag = try await bag(30)
    #expect(await self.page().contains(#"<a href="/bags/\#(bag.id.uuidString)/edit""#))
    let other = try ScopeID(kind: "bag", value: try await self.bag(10).id.uuidString)
    try await app.store.leave(other, retainingCopy: false)
    try await app.waitUntilSent()
    try await app.store.write { try Bag(id: bag.id, litres: 31).update($0) }
    for try await changes in app.store.changes.refused() where changes.isEmpty { break }
    try await app.waitUntilSent()
    let accepted = await self.page()
    #expect(!accepted.contains("Litres:") && !accepted.contains("/bags/"))
    #expect(try await self.bag(31).id == bag.id)
    await server.end(app)
  }
}
