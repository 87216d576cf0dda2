import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistDetailViewModelTests {
  private let fixture: Fixture
  private let double: LibraryDouble
  private let store: LibraryStore
  private let user = UUID()

  init() throws {
    fixture = try Fixture()
    double = LibraryDouble(fixture.repository)
    store = LibraryStore(repository: double)
  }

  private func detail(_ id: UUID) -> ChecklistDetailViewModel {
    ChecklistDetailViewModel(store: store, checklistID: id, creatorID: user)
  }

  @Test func `The checklist is shown and followed`() async throws {
    var checklist = try await fixture.checklist()
    let viewModel = detail(checklist.id)
    #expect(viewModel.checklist.isIdle)
    await viewModel.load()
    #expect(viewModel.checklist == .loaded(checklist))
    checklist.title = "Renamed"
    try await fixture.repository.saveChecklist(checklist)
    await until { [checklist] in viewModel.checklist == .loaded(checklist) }
  }

  @Test func `One that is not there, and one that cannot be read, say so`() async throws {
    let missing = detail(UUID())
    await missing.load()
    #expect(missing.checklist == .error(.database(.notFound)))
    let checklist = try await fixture.checklist()
    try await fixture.run("UPDATE checklists SET sections = '['")
    await store.loadChecklists()
    let damaged = detail(checklist.id)
    await damaged.load()
    #expect(damaged.checklist.errorValue?.id == "database.unreadable")
  }

  @Test func `A failure to load is shown with retry, and loading again succeeds`() async throws {
    let checklist = try await fixture.checklist()
    double.fail(.list)
    let viewModel = detail(checklist.id)
    await viewModel.load()
    #expect(viewModel.checklist.isRetryable)
    double.fail()
    await viewModel.load()
    #expect(viewModel.checklist == .loaded(checklist))
  }

  @Test
  func `It is copied and deleted; what fails is said, changes nothing, and can be tried again`()
    async throws
  {
    let checklist = try await fixture.checklist()
    let viewModel = detail(checklist.id)
    await viewModel.load()
    double.fail(.delete, .save)
    #expect(await !viewModel.delete())
    #expect(viewModel.actionError == .database(.writeFailed))
    #expect(await viewModel.duplicate(in: .english) == nil)
    #expect(viewModel.checklist == .loaded(checklist))
    #expect(try await fixture.count("checklists") == 1)
    double.fail()
    let copy = try #require(await viewModel.duplicate(in: .russian))
    #expect(copy.title == "Check-in копия")
    #expect(copy.creatorID == user)
    #expect(viewModel.actionError == nil)
    #expect(await viewModel.delete())
    #expect(viewModel.checklist == .error(.database(.notFound)))
    #expect(store.checklists.data?.map(\.id) == [copy.id])
  }

  @Test func `It is released when nothing uses it`() async throws {
    weak var released: ChecklistDetailViewModel?
    do {
      let viewModel = detail(try await fixture.checklist().id)
      await viewModel.load()
      released = viewModel
    }
    #expect(released == nil)
  }
}
