import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct LibraryStoreTests {
  private let fixture: Fixture
  private let double: LibraryDouble
  private let store: LibraryStore

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    double = LibraryDouble(fixture.repository)
    store = LibraryStore(repository: double, now: { fixture.now })
  }

  // MARK: - Reading

  @Test func `Each part is loaded from this device and followed`() async throws {
    #expect(store.checklists.isIdle && store.guides.isIdle && store.decks.isIdle)
    await store.loadChecklists()
    await store.loadGuides()
    await store.loadDecks()
    #expect(store.checklists.isEmpty && store.guides.isEmpty && store.decks.isEmpty)
    let (guide, deck) = (PracticeGuide.sample(), FlashcardDeck.sample())
    let checklist = try await fixture.checklist()
    try await fixture.repository.saveGuide(guide)
    try await fixture.repository.saveDeck(deck)
    await until { store.checklists.data == [checklist] }
    await until { store.guides.data == [guide] }
    await until { store.decks.data == [deck] }
  }

  @Test func `A part that cannot be read is an error, and loads when tried again`() async throws {
    double.fail(.list)
    await store.loadChecklists()
    await store.loadGuides()
    await store.loadDecks()
    for error in [store.checklists.errorValue, store.guides.errorValue, store.decks.errorValue] {
      #expect(error == .database(.readFailed))
      #expect(error?.isRetryable == true)
    }
    double.fail()
    await store.loadChecklists()
    await store.loadGuides()
    await store.loadDecks()
    #expect(store.checklists.isEmpty && store.guides.isEmpty && store.decks.isEmpty)
  }

  @Test func `What cannot be read is left out and said, part by part`() async throws {
    _ = try await fixture.checklist()
    try await store.saveGuide(.sample())
    try await store.saveDeck(.sample())
    try await fixture.run("UPDATE practiceGuides SET tags = '['")
    await store.loadChecklists()
    await store.loadGuides()
    await store.loadDecks()
    #expect(store.guides.data == [])
    #expect(store.notices(.guides).map(\.id) == ["database.unreadable"])
    #expect(store.notices(.checklists).isEmpty && store.notices(.decks).isEmpty)
  }

  @Test func `What is not there is an error`() async {
    await #expect(throws: RepositoryError.notFound) { _ = try await store.fetchChecklist(UUID()) }
    await #expect(throws: RepositoryError.notFound) { _ = try await store.fetchGuide(UUID()) }
    await #expect(throws: RepositoryError.notFound) { _ = try await store.fetchDeck(UUID()) }
  }

  // MARK: - Saving

  @Test func `What is saved is changed now, and shows as soon as that is done`() async throws {
    await store.loadGuides()
    await store.loadDecks()
    await store.loadChecklists()
    let (checklist, guide, deck) = (
      Checklist.sample(), PracticeGuide.sample(), FlashcardDeck.sample()
    )
    try await store.saveChecklist(checklist)
    try await store.saveGuide(guide)
    try await store.saveDeck(deck)
    #expect(store.checklists.data?.map(\.id) == [checklist.id])
    #expect(store.guides.data?.map(\.id) == [guide.id])
    #expect(store.decks.data?.map(\.id) == [deck.id])
    #expect(store.checklists.data?.first?.updatedAt == fixture.now)
    #expect(store.guides.data?.first?.updatedAt == fixture.now)
    #expect(store.decks.data?.first?.updatedAt == fixture.now)
    #expect(store.guides.data?.first?.createdAt == .day(1, 1))
  }

  @Test func `What is saved over a version shows as soon as that is done`() async throws {
    await store.loadChecklists()
    await store.loadGuides()
    await store.loadDecks()
    let checklist = try await store.saveChecklist(.sample(), over: nil)
    let guide = try await store.saveGuide(.sample(), over: nil)
    let deck = try await store.saveDeck(.sample(), over: nil)
    #expect(store.checklists.data == [checklist])
    #expect(store.guides.data == [guide])
    #expect(store.decks.data == [deck])
  }

  // MARK: - Copying

  @Test func `A copy of a checklist has new ids all the way down, and says that it is one`()
    async throws
  {
    var original = Checklist.sample("Check-in")
    original.description = "All of it"
    original.sections[0].items[1].note = "Look"
    try await store.saveChecklist(original)
    let user = UUID()
    let copy = try await store.duplicateChecklist(original.id, by: user, in: .english)
    #expect(copy.title == "Check-in copy")
    #expect(copy.creatorID == user)
    #expect(copy.createdAt == fixture.now)
    #expect(copy.description == "All of it")
    func content(_ checklist: Checklist) -> [String] {
      checklist.sections.map { "\($0.title) \($0.isExpandedByDefault)" }
        + checklist.items.map { "\($0.title) \($0.note ?? "") \($0.isCritical)" }
    }
    #expect(content(copy) == content(original))
    let ids = [original, copy].flatMap {
      [$0.id] + $0.sections.map(\.id) + $0.items.map(\.id)
    }
    #expect(Set(ids).count == ids.count)
    #expect(try await store.fetchChecklist(copy.id).sections == copy.sections)
  }

  @Test func `Copies of guides and decks are of their own, and a deck's has no progress`()
    async throws
  {
    let (guide, deck) = (PracticeGuide.sample(), FlashcardDeck.sample())
    try await store.saveGuide(guide)
    try await store.saveDeck(deck)
    _ = try await store.recordAnswer(.known, cardID: deck.cards[0].id, deckID: deck.id)
    let guideCopy = try await store.duplicateGuide(guide.id, by: UUID(), in: .russian)
    let deckCopy = try await store.duplicateDeck(deck.id, by: UUID(), in: .russian)
    #expect(guideCopy.title == "Mooring копия")
    #expect(deckCopy.title == "Lights копия")
    #expect(guideCopy.id != guide.id)
    #expect((guideCopy.body, guideCopy.tags) == (guide.body, guide.tags))
    #expect(deckCopy.cards.map(\.front) == deck.cards.map(\.front))
    #expect(deckCopy.cards.map(\.back) == deck.cards.map(\.back))
    #expect(Set(deckCopy.cards.map(\.id)).isDisjoint(with: deck.cards.map(\.id)))
    #expect(try await fixture.repository.fetchDueCards(ofDeck: deckCopy.id).count == 3)
  }

  @Test func `A title as long as may be is cut so that the copy's is no longer`() async throws {
    let title = String(repeating: "ё", count: PracticeGuide.maximumTitleLength)
    let guide = PracticeGuide.sample(title)
    try await store.saveGuide(guide)
    let copy = try await store.duplicateGuide(guide.id, by: UUID(), in: .russian)
    #expect(copy.title.count == PracticeGuide.maximumTitleLength)
    #expect(copy.title.hasSuffix("ё копия"))
  }

  // MARK: - Deleting

  @Test func `What was deleted last can be put back as it was`() async throws {
    let (checklist, guide) = (try await fixture.checklist(), PracticeGuide.sample())
    try await fixture.repository.saveGuide(guide)
    try await store.deleteChecklist(checklist.id)
    #expect(store.removals.last()?.title == checklist.title)
    #expect(store.removals.last()?.part == .checklists)
    try await store.restoreEntry(checklist.id, in: .checklists)
    #expect(store.removals.last() == nil)
    #expect(try await store.fetchChecklist(checklist.id) == checklist)
    try await store.deleteGuide(guide.id)
    #expect(store.removals.last()?.part == .guides)
    for _ in 0..<2 { try await store.restoreEntry(guide.id, in: .guides) }
    #expect(try await store.fetchGuide(guide.id) == guide)
  }

  @Test func `Progress on a checklist counts again once it is put back`() async throws {
    let (checklist, charter) = (try await fixture.checklist(items: 2), try await fixture.charter())
    try await fixture.tick(0, of: checklist, in: charter)
    try await store.deleteChecklist(checklist.id)
    try await store.restoreEntry(checklist.id, in: .checklists)
    let progress = try await fixture.texts(
      "SELECT CAST(progressPercentage AS TEXT) FROM checklistExecutionStates")
    #expect(progress == ["50.0"])
  }

  @Test func `What nobody knows any more cannot be put back`() async throws {
    let guide = PracticeGuide.sample()
    try await store.saveGuide(guide)
    try await store.deleteGuide(guide.id)
    store.removals.dismiss { _ in true }
    await #expect(throws: RepositoryError.notFound) {
      try await store.restoreEntry(guide.id, in: .guides)
    }
  }

  @Test func `What was stored anew meanwhile is not put back over`() async throws {
    let guide = PracticeGuide.sample("Old")
    try await store.saveGuide(guide)
    try await store.deleteGuide(guide.id)
    var newer = guide
    newer.title = "New"
    try await store.saveGuide(newer)
    try await store.restoreEntry(guide.id, in: .guides)
    #expect(try await store.fetchGuide(guide.id).title == "New")
  }

  @Test func `What cannot be read is deleted and put back all the same`() async throws {
    let checklist = try await fixture.checklist()
    try await fixture.run("UPDATE checklists SET sections = '['")
    try await store.deleteChecklist(checklist.id)
    #expect(try await fixture.count("checklists") == 0)
    #expect(store.removals.last()?.title == nil)
    try await store.restoreEntry(checklist.id, in: .checklists)
    #expect(try await fixture.texts("SELECT sections FROM checklists") == ["["])
  }

  @Test func `A deck is put back with what is known of its cards`() async throws {
    let deck = FlashcardDeck.sample()
    try await fixture.repository.saveDeck(deck)
    _ = try await store.recordAnswer(.known, cardID: deck.cards[0].id, deckID: deck.id)
    try await store.deleteDeck(deck.id)
    #expect(store.removals.last()?.part == .decks)
    #expect(try await fixture.count("flashcardProgress") == 0)
    try await store.restoreEntry(deck.id, in: .decks)
    #expect(try await store.fetchDeck(deck.id) == deck)
    #expect(try await fixture.repository.fetchDueCards(ofDeck: deck.id).count == 2)
  }

  @Test func `Deleting what is gone keeps what can be put back`() async throws {
    let checklist = try await fixture.checklist()
    try await store.deleteChecklist(checklist.id)
    try await store.deleteChecklist(checklist.id)
    try await store.deleteGuide(UUID())
    try await store.deleteDeck(UUID())
    #expect(store.removals.last()?.id == checklist.id)
  }

  @Test func `A failure to delete or to put back changes nothing, and both can be tried again`()
    async throws
  {
    let checklist = try await fixture.checklist()
    double.fail(.delete)
    await #expect(throws: RepositoryError.databaseUnavailable) {
      try await store.deleteChecklist(checklist.id)
    }
    #expect(store.removals.last() == nil)
    double.fail(.restore)
    try await store.deleteChecklist(checklist.id)
    await #expect(throws: RepositoryError.databaseUnavailable) {
      try await store.restoreEntry(checklist.id, in: .checklists)
    }
    #expect(store.removals.last()?.id == checklist.id)
    double.fail()
    try await store.restoreEntry(checklist.id, in: .checklists)
    #expect(try await store.fetchChecklist(checklist.id) == checklist)
  }

  @Test func `It is released when nothing uses it`() async throws {
    weak var released: LibraryStore?
    do {
      let store = LibraryStore(repository: fixture.repository)
      await store.loadChecklists()
      await store.loadGuides()
      await store.loadDecks()
      released = store
    }
    #expect(released == nil)
  }
}
