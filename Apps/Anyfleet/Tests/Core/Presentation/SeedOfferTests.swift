import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

/// The offer of the first checklists in the language in use.
@MainActor
struct SeedOfferTests {
  private let app: AppDependencies

  init() async throws {
    app = try await .makeForTesting()
    await app.libraryStore.loadIfNeeded(Checklist.self)
  }

  private var titles: Set<String> { Set((app.libraryStore.checklists.data ?? []).map(\.title)) }

  private func makeOffer() async -> SeedOffer {
    let offer = app.makeSeedOffer()
    await offer.load()
    return offer
  }

  @Test func `Checklists in the user's language are added once, and can be removed again`()
    async throws
  {
    let offer = await makeOffer()
    let first = titles
    #expect(first.count == 3 && !offer.isOpen, "they are in the language in use")
    #expect(app.language.use(code: "ru"))
    #expect(offer.isOpen)
    let undo = try #require(try await offer.add())
    #expect(!offer.isOpen && titles.count == 6)
    #expect(titles.isSuperset(of: first.union(["Приёмка яхты"])))
    #expect(try await offer.add() == nil)
    #expect(titles.count == 6)
    #expect(await !makeOffer().isOpen)
    try await undo()
    #expect(titles == first && offer.isOpen)
  }

  @Test func `A dismissed offer returns only in another language`()
    async throws
  {
    #expect(app.language.use(code: "ru"))
    let offer = await makeOffer()
    #expect(offer.isOpen)
    try await offer.dismiss()
    #expect(!offer.isOpen)
    #expect(await !makeOffer().isOpen)
    #expect(titles.count == 3)
  }

  @Test func `A library without its first checklists gets no offer`() async throws {
    for checklist in app.libraryStore.checklists.data ?? [] {
      try await app.libraryStore.delete(Checklist.self, checklist.id)
    }
    #expect(app.language.use(code: "ru"))
    #expect(await !makeOffer().isOpen)
  }

  @Test
  func `Two devices of an account add checklists with the same ids, different from the first`() {
    let user = UUID()
    for seed in SeedChecklist.all {
      let added = seed.addition(of: user, in: .russian, at: .day(1, 1))
      let again = seed.addition(of: user, in: .russian, at: .day(2, 2))
      #expect(added.id == again.id && added.sections == again.sections)
      for other in [
        seed.checklist(of: user, in: .russian, at: .day(1, 1)),
        seed.addition(of: user, in: .english, at: .day(1, 1)),
        seed.addition(of: UUID(), in: .russian, at: .day(1, 1)),
      ] {
        #expect(other.id != added.id && other.itemIDs.isDisjoint(with: added.itemIDs))
      }
      #expect(seed.language(of: added) == .russian)
      #expect(seed.language(of: seed.checklist(of: user, in: .english, at: .day(1, 1))) == .english)
    }
    #expect(DepartureSeed.checklist.language(of: .sample("Mine")) == nil)
  }

  @Test func `An account gets unchanged additions with its own ids, and edited ones unchanged`()
    async throws
  {
    #expect(app.language.use(code: "ru"))
    _ = try await makeOffer().add()
    let (former, account) = (app.session.userID, UUID())
    let changed = DepartureSeed.checklist.addition(of: former, in: .russian, at: .day(1, 1)).id
    try await app.database.store.write { writer in
      try Checklist.find(changed).update(writer) { [$0.title.set("Моё")] }
      try AppHandOver.run(from: former, to: account, writer)
    }
    let ids = try await app.database.store.read { Set(try Checklist.all.all($0).map(\.id)) }
    let expected = [CheckInSeed.checklist, SafetyBriefingSeed.checklist].map {
      $0.addition(of: account, in: .russian, at: .day(1, 1)).id
    }
    #expect(ids == Set(expected + [changed]))
  }
}
