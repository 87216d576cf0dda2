import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct GuideViewModelTests {
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

  private func guide(_ id: UUID) -> GuideViewModel {
    GuideViewModel(
      store: store, guideID: id, creatorID: user, now: { [fixture] in fixture.now })
  }

  private func stored() async throws -> PracticeGuide {
    let guide = PracticeGuide.sample()
    try await fixture.repository.saveGuide(guide)
    return guide
  }

  // MARK: - Showing

  @Test func `The guide shows with its structure, and is followed`() async throws {
    var guide = try await stored()
    let viewModel = self.guide(guide.id)
    #expect(viewModel.guide.isIdle)
    await viewModel.load()
    #expect(viewModel.guide == .loaded(guide))
    #expect(viewModel.content.data?.blocks.count == 2)
    #expect(viewModel.form == GuideFormState(guide))
    viewModel.form.title = "Typed"
    guide.body = "# One"
    try await fixture.repository.saveGuide(guide)
    await until { viewModel.content.data == Markdown("# One") }
    #expect(viewModel.form.title == "Typed")
  }

  @Test func `One that is not there, and one that cannot be read, say so`() async throws {
    let missing = guide(UUID())
    await missing.load()
    #expect(missing.guide == .error(.database(.notFound)))
    #expect(await missing.save() == nil)
    let stored = try await stored()
    try await fixture.run("UPDATE practiceGuides SET tags = '['")
    await store.loadGuides()
    let damaged = guide(stored.id)
    await damaged.load()
    #expect(damaged.guide.errorValue?.id == "database.unreadable")
  }

  @Test func `A failure to load is shown with retry, nothing is saved then, and it recovers`()
    async throws
  {
    let guide = try await stored()
    double.fail(.list)
    let viewModel = self.guide(guide.id)
    await viewModel.load()
    #expect(viewModel.guide.isRetryable)
    viewModel.form.title = "Overwritten"
    #expect(await viewModel.save() == nil)
    #expect(try await fixture.repository.fetchGuide(guide.id) == guide)
    double.fail()
    await viewModel.load()
    #expect(viewModel.guide == .loaded(guide))
    #expect(viewModel.form == GuideFormState(guide))
  }

  // MARK: - Writing

  @Test func `A new guide is saved without space around, and with each tag once`() async throws {
    let viewModel = GuideViewModel(
      store: store, creatorID: user, now: { [fixture] in fixture.now })
    viewModel.form.title = " Anchoring "
    viewModel.form.body = "\nSlowly.\n"
    viewModel.form.tags = " anchor, Šibenik,, ANCHOR\nsibenik "
    let saved = try #require(await viewModel.save())
    #expect(saved.title == "Anchoring")
    #expect(saved.body == "Slowly.")
    #expect(saved.tags == ["anchor", "Šibenik"])
    #expect(saved.creatorID == user)
    #expect(try await store.fetchGuide(viewModel.guideID).createdAt == fixture.now)
    #expect(await viewModel.save() != nil)
    #expect(try await fixture.count("practiceGuides") == 1)
  }

  @Test func `An edit keeps whose it is and since when it is there`() async throws {
    let guide = try await stored()
    let viewModel = self.guide(guide.id)
    await viewModel.load()
    viewModel.form.body = "New"
    #expect(await viewModel.save() != nil)
    let stored = try await store.fetchGuide(guide.id)
    #expect(stored.body == "New")
    #expect((stored.creatorID, stored.createdAt) == (guide.creatorID, guide.createdAt))
    #expect(stored.updatedAt == fixture.now)
    #expect(viewModel.guide.data?.body == "New")
  }

  @Test func `What is wrong stands beside its field, and nothing is saved`() async throws {
    let viewModel = GuideViewModel(store: store, creatorID: user)
    func text(_ count: Int) -> String { String(repeating: "é", count: count) }
    #expect(await viewModel.save() == nil)
    #expect(viewModel.validationErrors.map(\.field) == [.title, .body])
    #expect(viewModel.problem(.body)?.in(.russian) == "Введите текст.")
    viewModel.form.title = text(81)
    viewModel.form.body = text(20_001)
    viewModel.form.tags = text(31)
    #expect(await viewModel.save() == nil)
    #expect(viewModel.validationErrors.map(\.field) == [.title, .body, .tags])
    #expect(viewModel.problem(.tags)?.in(.english) == "A tag may have at most 30 characters.")
    viewModel.form.tags = (0..<11).map(String.init).joined(separator: ",")
    #expect(await viewModel.save() == nil)
    #expect(
      viewModel.problem(.tags)?.in(.russian) == "У руководства может быть не больше 10 меток.")
    #expect(try await fixture.count("practiceGuides") == 0)
    viewModel.form.title = text(80)
    viewModel.form.body = text(20_000)
    viewModel.form.tags = (0..<10).map { "\($0)" + text(29) }.joined(separator: ",")
    #expect(await viewModel.save() != nil)
  }

  @Test func `A failure to save is shown, keeps the form, and saving again may succeed`()
    async throws
  {
    let guide = try await stored()
    let viewModel = self.guide(guide.id)
    await viewModel.load()
    viewModel.form.title = "Renamed"
    double.fail(.save)
    #expect(await viewModel.save() == nil)
    #expect(viewModel.saveError == .database(.writeFailed))
    #expect(viewModel.form.title == "Renamed")
    #expect(viewModel.guide == .loaded(guide))
    double.fail()
    #expect(await viewModel.save()?.title == "Renamed")
    #expect(viewModel.saveError == nil)
  }

  @Test func `Saving twice at once stores it once`() async throws {
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    let viewModel = GuideViewModel(store: store, creatorID: user)
    (viewModel.form.title, viewModel.form.body) = ("A", "B")
    let first = Task { await viewModel.save() }
    await gate.arrived()
    #expect(viewModel.isSaving)
    let second = Task { await viewModel.save() }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    let saved = await first.value
    #expect(await second.value == saved)
    #expect(saved != nil)
    #expect(try await fixture.count("practiceGuides") == 1)
  }

  // MARK: - Deleting and copying

  @Test
  func `It is copied and deleted; what fails is said, changes nothing, and can be tried again`()
    async throws
  {
    let guide = try await stored()
    let viewModel = self.guide(guide.id)
    await viewModel.load()
    double.fail(.delete, .save)
    #expect(await !viewModel.delete())
    #expect(viewModel.actionError == .database(.writeFailed))
    #expect(await viewModel.duplicate(in: .english) == nil)
    #expect(viewModel.guide == .loaded(guide))
    double.fail()
    #expect(await viewModel.duplicate(in: .english)?.title == "Mooring copy")
    #expect(viewModel.actionError == nil)
    #expect(await viewModel.delete())
    #expect(viewModel.guide == .error(.database(.notFound)))
    try await store.restoreEntry(guide.id, in: .guides)
    #expect(viewModel.guide == .loaded(guide))
  }

  @Test func `It is released when nothing uses it`() async throws {
    let guide = try await stored()
    weak var released: GuideViewModel?
    do {
      let viewModel = self.guide(guide.id)
      await viewModel.load()
      await viewModel.save()
      released = viewModel
    }
    #expect(released == nil)
  }
}
