import Foundation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistEditorViewModelTests {
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

  private func editor(_ checklist: Checklist) -> ChecklistEditorViewModel {
    ChecklistEditorViewModel(
      store: store, checklistID: checklist.id, creatorID: user, now: { [fixture] in fixture.now })
  }

  /// An editor of a new checklist with a title and one item.
  private func filled(_ draftID: UUID? = nil) -> ChecklistEditorViewModel {
    let viewModel = ChecklistEditorViewModel(
      store: store, draftID: draftID, creatorID: user, now: { [fixture] in fixture.now })
    viewModel.form.title = " Night watch "
    viewModel.form.description = " "
    viewModel.form.sections[0].title = "Deck"
    viewModel.form.sections[0].items[0].title = " Lights "
    viewModel.form.sections[0].items[0].note = " "
    return viewModel
  }

  @Test func `A new checklist begins with one empty item, and is saved without space around`()
    async throws
  {
    let viewModel = filled()
    #expect(viewModel.isNew && viewModel.isFilled)
    #expect(viewModel.form.items.count == 1)
    let saved = try #require(await viewModel.save())
    let stored = try await store.fetchChecklist(viewModel.checklistID)
    #expect(stored == saved)
    #expect(stored.updatedAt == fixture.now)
    #expect(stored.title == "Night watch")
    #expect(stored.description == nil)
    #expect(stored.creatorID == user)
    #expect(stored.items.map(\.title) == ["Lights"])
    #expect(stored.items[0].note == nil)
  }

  @Test func `Ids stay through an edit, so that progress does`() async throws {
    let (checklist, charter) = (try await fixture.checklist(), try await fixture.charter())
    try await fixture.tick(1, of: checklist, in: charter)
    let viewModel = editor(checklist)
    await viewModel.load()
    #expect(viewModel.form == ChecklistFormState(checklist))
    let item = checklist.items[1].id
    viewModel.form.updateItem(item) { $0.title = "Renamed" }
    viewModel.form.moveItem(item, .up)
    viewModel.addSection()
    viewModel.form.sections[1].title = "More"
    viewModel.form.sections[1].items[0].title = "New"
    viewModel.addItem(to: viewModel.form.sections[1].id)
    viewModel.form.sections[1].items[1].title = "Newer"
    #expect(await viewModel.save() != nil)
    let stored = try await store.fetchChecklist(checklist.id)
    #expect(stored.items.map(\.title) == ["Renamed", "Item 0", "Item 2", "New", "Newer"])
    #expect(stored.creatorID == checklist.creatorID)
    #expect(stored.createdAt == checklist.createdAt)
    #expect(stored.updatedAt == fixture.now)
    let state = try #require(try await fixture.state(checklist, in: charter))
    #expect(state.checkedCount(in: stored) == 1)
    #expect(state.itemStates[item]?.isChecked == true)
  }

  @Test func `What is wrong stands beside its field, nothing is saved, and the form stays`()
    async throws
  {
    let viewModel = filled()
    viewModel.form.title = ""
    viewModel.form.sections[0].items[0].title = " "
    let (form, item) = (viewModel.form, viewModel.form.items[0].id)
    #expect(viewModel.problem(.title) == nil)
    #expect(await viewModel.save() == nil)
    #expect(viewModel.validationErrors.map(\.field) == [.title, .itemTitle(item)])
    #expect(viewModel.problem(.title)?.in(.english) == "Enter a title.")
    #expect(viewModel.form == form)
    #expect(try await fixture.count("checklists") == 0)
    viewModel.form.title = "Watch"
    viewModel.form.updateItem(item) { $0.title = "Lights" }
    #expect(await viewModel.save() != nil)
    #expect(viewModel.validationErrors == [])
  }

  @Test func `Saving twice at once stores it once, and a form sent again stores no second one`()
    async throws
  {
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    let viewModel = filled()
    let sent = viewModel.form
    let first = Task { await viewModel.save() }
    await gate.arrived()
    #expect(viewModel.isSaving)
    let second = Task { await viewModel.save() }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    let saved = await first.value
    #expect(await second.value == saved)
    #expect(saved != nil)
    #expect(!viewModel.isSaving)
    let again = filled(viewModel.checklistID)
    again.restore(sent)
    #expect(await again.save() == saved)
    #expect(try await fixture.count("checklists") == 1)
  }

  @Test func `A failure to save is shown, keeps the form, and saving again may succeed`()
    async throws
  {
    double.fail(.save)
    let viewModel = filled()
    let form = viewModel.form
    #expect(await viewModel.save() == nil)
    #expect(viewModel.saveError == .database(.writeFailed))
    #expect(viewModel.saveError?.isRetryable == true)
    #expect(viewModel.form == form)
    #expect(!viewModel.isSaving)
    double.fail()
    #expect(await viewModel.save() != nil)
    #expect(viewModel.saveError == nil)
  }

  @Test
  func `A failure to load is shown, nothing can be saved then, and loading again may succeed`()
    async throws
  {
    let checklist = try await fixture.checklist()
    double.fail(.fetch)
    let viewModel = editor(checklist)
    await viewModel.load()
    #expect(viewModel.loadError == .database(.readFailed))
    #expect(!viewModel.isFilled && !viewModel.isLoading)
    viewModel.form.title = "Overwritten"
    #expect(await viewModel.save() == nil)
    #expect(try await fixture.repository.fetchChecklist(checklist.id) == checklist)
    double.fail()
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    #expect(viewModel.form == ChecklistFormState(checklist))
    viewModel.form.title = "Typed"
    await viewModel.load()
    #expect(viewModel.form.title == "Typed")
  }

  @Test func `It is released when nothing uses it`() async throws {
    let checklist = try await fixture.checklist()
    weak var released: ChecklistEditorViewModel?
    do {
      let viewModel = editor(checklist)
      await viewModel.load()
      await viewModel.save()
      released = viewModel
    }
    #expect(released == nil)
  }
}
