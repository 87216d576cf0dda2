import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Writing on two screens at once, and faster than it is saved.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EntryEditorTests {
  private let fixture: Fixture
  private let double: LibraryDouble
  private let store: LibraryStore
  private let user = UUID()

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    double = LibraryDouble(fixture.repository)
    store = LibraryStore(repository: double, now: { fixture.now })
  }

  /// Stores a guide.
  private func stored() async throws -> PracticeGuide {
    let guide = PracticeGuide.sample()
    try await fixture.repository.saveGuide(guide)
    return guide
  }

  /// A screen that has loaded a guide.
  private func screen(_ guide: PracticeGuide) async -> GuideViewModel {
    let viewModel = GuideViewModel(
      store: store, guideID: guide.id, creatorID: user, now: { [fixture] in fixture.now })
    await viewModel.load()
    return viewModel
  }

  private func title(_ guide: PracticeGuide) async throws -> String? {
    try await fixture.repository.fetchGuide(guide.id)?.title
  }

  // MARK: - Two screens

  @Test func `The second to save is told, keeps what was typed, and replaces it by saving again`()
    async throws
  {
    let guide = try await stored()
    let (first, second) = (await screen(guide), await screen(guide))
    (first.form.title, second.form.title) = ("A", "B")
    let saved = try #require(await first.save())
    #expect(await second.save() == nil)
    #expect(second.saveError == .sync(.conflict))
    #expect(second.form.title == "B")
    #expect(second.form.basedOn == saved.updatedAt)
    #expect(try await title(guide) == "A")
    #expect(await second.save()?.title == "B")
    #expect(second.saveError == nil)
    #expect(try await title(guide) == "B")
    #expect(await first.save() == nil)
    #expect(first.saveError == .sync(.conflict))
  }

  @Test func `A screen on which one saves several times is in its own way never`() async throws {
    let screen = await screen(try await stored())
    for title in ["1", "2", "3"] {
      screen.form.title = title
      #expect(await screen.save()?.title == title)
    }
  }

  @Test func `What was deleted meanwhile is said, stays, and is stored anew when asked`()
    async throws
  {
    let guide = try await stored()
    let screen = await screen(guide)
    screen.form.title = "B"
    try await store.deleteGuide(guide.id)
    #expect(screen.isFilled && screen.loadError == nil)
    #expect(await screen.save() == nil)
    #expect(screen.saveError == .database(.notFound))
    #expect(screen.form.title == "B")
    #expect(try await title(guide) == nil)
    #expect(await screen.save()?.title == "B")
    #expect(try await title(guide) == "B")
  }

  @Test func `What a screen that is gone had taken is saved without being read again`()
    async throws
  {
    let guide = try await stored()
    var form = GuideFormState(guide)
    form.title = "Typed"
    double.fail(.list, .fetch)
    let viewModel = GuideViewModel(store: store, guideID: guide.id, creatorID: user)
    viewModel.restore(form)
    #expect(await viewModel.save()?.title == "Typed")
    let saved = try #require(try await fixture.repository.fetchGuide(guide.id))
    #expect((saved.creatorID, saved.createdAt) == (guide.creatorID, guide.createdAt))
  }

  @Test func `Two screens of a checklist do not overwrite each other`() async throws {
    let checklist = try await fixture.checklist()
    let screens = (0..<2).map { _ in
      ChecklistEditorViewModel(store: store, checklistID: checklist.id, creatorID: user)
    }
    for (screen, title) in zip(screens, ["A", "B"]) {
      await screen.load()
      screen.form.title = title
    }
    #expect(await screens[0].save() != nil)
    #expect(await screens[1].save() == nil)
    #expect(screens[1].saveError == .sync(.conflict))
    #expect(try await store.fetchChecklist(checklist.id).title == "A")
    #expect(await screens[1].save()?.title == "B")
  }

  @Test func `Two screens of a deck do not overwrite each other`() async throws {
    let deck = FlashcardDeck.sample()
    try await fixture.repository.saveDeck(deck)
    let screens = (0..<2).map { _ in
      DeckViewModel(store: store, deckID: deck.id, creatorID: user)
    }
    for (screen, title) in zip(screens, ["A", "B"]) {
      await screen.load()
      screen.form.title = title
    }
    #expect(await screens[0].save() != nil)
    #expect(await screens[1].save() == nil)
    #expect(screens[1].saveError == .sync(.conflict))
    #expect(try await store.fetchDeck(deck.id).title == "A")
    #expect(await screens[1].save()?.title == "B")
  }

  // MARK: - Faster than it is saved

  @Test func `What is typed while it is being saved is saved by saving again`() async throws {
    let guide = try await stored()
    let screen = await screen(guide)
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    screen.form.title = "First"
    let first = Task { await screen.save()?.title }
    await gate.arrived()
    screen.form.title = "Second"
    let second = Task { await screen.save()?.title }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    #expect(await first.value == "First")
    #expect(await second.value == "Second")
    #expect(try await title(guide) == "Second")
  }

  @Test func `What is typed while saving is refused does not replace what nobody was told of`()
    async throws
  {
    let guide = try await stored()
    let (other, screen) = (await screen(guide), await screen(guide))
    other.form.title = "Other"
    #expect(await other.save() != nil)
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    screen.form.title = "First"
    let first = Task { await screen.save() }
    await gate.arrived()
    screen.form.title = "Second"
    let second = Task { await screen.save() }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    #expect(await first.value == nil)
    #expect(await second.value == nil)
    #expect(screen.saveError == .sync(.conflict))
    #expect(screen.form.title == "Second")
    #expect(try await title(guide) == "Other")
  }
}
