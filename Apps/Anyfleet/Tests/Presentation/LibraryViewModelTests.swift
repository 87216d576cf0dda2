import Foundation
import Offshore
import OffshorePresentation
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct LibraryViewModelTests {
  private let fixture: Fixture
  private let double: LibraryDouble
  private let store: LibraryStore
  private let viewModel: LibraryViewModel

  init() throws {
    fixture = try Fixture()
    double = LibraryDouble(fixture.repository)
    store = LibraryStore(repository: double)
    viewModel = LibraryViewModel(store: store)
  }

  @Test func `It counts what each part has, once that is known`() async throws {
    for _ in 0..<2 { _ = try await fixture.checklist() }
    try await fixture.repository.saveDeck(.sample())
    #expect(LibraryPart.allCases.map(viewModel.count) == [nil, nil, nil])
    await viewModel.load()
    #expect(LibraryPart.allCases.map(viewModel.count) == [2, 0, 1])
    #expect(viewModel.guides.isEmpty)
    #expect(viewModel.decks.data?.count == 1)
  }

  @Test func `What failed to load shows as an error, and loads when tried again`() async throws {
    double.fail(.list)
    await viewModel.load()
    #expect(viewModel.checklists.isRetryable && viewModel.guides.isRetryable)
    double.fail()
    await viewModel.load()
    #expect(viewModel.checklists.isEmpty && viewModel.guides.isEmpty && viewModel.decks.isEmpty)
  }

  @Test func `What was deleted is offered in its own part alone`() async throws {
    let checklist = try await fixture.checklist()
    await viewModel.load()
    try await store.deleteChecklist(checklist.id)
    #expect(viewModel.checklists.isEmpty)
    #expect(viewModel.removed?.title == checklist.title)
    viewModel.part = .guides
    #expect(viewModel.removed == nil)
    viewModel.part = .checklists
    #expect(await viewModel.undoDeletion(of: checklist.id))
    #expect(viewModel.checklists.data == [checklist])
    #expect(viewModel.removed == nil)
  }

  @Test func `Of two offers to put back one is dismissed`() async throws {
    let (checklist, guide) = (try await fixture.checklist(), PracticeGuide.sample())
    try await store.saveGuide(guide)
    try await store.deleteChecklist(checklist.id)
    try await store.deleteGuide(guide.id)
    viewModel.dismissUndo(of: checklist.id)
    #expect(viewModel.removed == nil)
    viewModel.part = .guides
    #expect(viewModel.removed?.id == guide.id)
  }

  @Test func `What could not be put back is said, and can be tried again`() async throws {
    let checklist = try await fixture.checklist()
    try await store.deleteChecklist(checklist.id)
    double.fail(.restore)
    #expect(await !viewModel.undoDeletion(of: checklist.id))
    #expect(viewModel.undoError == .database(.writeFailed))
    #expect(viewModel.removed?.id == checklist.id)
    double.fail()
    #expect(await viewModel.undoDeletion(of: checklist.id))
    #expect(viewModel.undoError == nil)
  }

  @Test func `What may be out of date is read when the screen loads again`() async throws {
    _ = try await fixture.checklist()
    await viewModel.load()
    double.fail(.list)
    await store.loadChecklists()
    #expect(viewModel.notices == [.database(.readFailed)])
    double.fail()
    await viewModel.load()
    #expect(viewModel.notices.isEmpty && viewModel.checklists.data?.count == 1)
  }

  @Test func `What is left out is said for the part that shows`() async throws {
    _ = try await fixture.checklist()
    try await fixture.run("UPDATE checklists SET sections = '['")
    await viewModel.load()
    #expect(viewModel.notices.map(\.id) == ["database.unreadable"])
    viewModel.part = .decks
    #expect(viewModel.notices.isEmpty)
  }

  @Test func `It is released when nothing uses it`() async throws {
    weak var released: LibraryViewModel?
    do {
      let viewModel = LibraryViewModel(store: store)
      await viewModel.load()
      released = viewModel
    }
    #expect(released == nil)
  }
}
