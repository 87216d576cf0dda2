import Foundation
import OffshorePresentation
import Testing

@testable import Anyfleet

/// A checklist run in a charter, with a repository that a test can delay or make fail.
@MainActor
struct ChecklistRun {
  let fixture: Fixture
  let double: ExecutionDouble
  let checklist: Checklist
  let charter: CharterModel

  init(items: Int = 3) async throws {
    fixture = try Fixture()
    double = ExecutionDouble(fixture.repository)
    checklist = try await fixture.checklist(items: items)
    charter = try await fixture.charter()
  }

  /// The id of an item.
  func item(_ number: Int) -> UUID { checklist.items[number].id }

  /// Creates a screen that runs the checklist, not loaded yet.
  func makeScreen(in other: CharterModel? = nil) -> ChecklistExecutionViewModel {
    ChecklistExecutionViewModel(
      libraryStore: LibraryStore(repository: fixture.repository), executionRepository: double,
      charterID: (other ?? charter).id, checklistID: checklist.id)
  }

  /// Creates a screen and loads it.
  func loaded() async -> ChecklistExecutionViewModel {
    let viewModel = makeScreen()
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    return viewModel
  }

  /// Loads the stored state.
  func state() async throws -> ChecklistExecutionState? {
    try await fixture.state(checklist, in: charter)
  }

  /// Stores a note without using the screen.
  func note(_ number: Int, _ note: String?) async throws {
    try await fixture.repository.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: item(number), note: note)
  }
}
