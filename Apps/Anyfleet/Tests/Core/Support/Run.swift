import Foundation
import OffshorePresentation
import Testing

@testable import Anyfleet

/// A checklist that is run in a charter, with a repository that a test can hold up or let fail.
@MainActor
struct Run {
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

  /// A screen that runs the checklist, before it is loaded.
  func makeScreen(in other: CharterModel? = nil) -> ChecklistExecutionViewModel {
    ChecklistExecutionViewModel(
      libraryStore: LibraryStore(repository: fixture.repository), executionRepository: double,
      charterID: (other ?? charter).id, checklistID: checklist.id)
  }

  /// A screen that has loaded.
  func loaded() async -> ChecklistExecutionViewModel {
    let viewModel = makeScreen()
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    return viewModel
  }

  /// What is stored.
  func state() async throws -> ChecklistExecutionState? {
    try await fixture.state(checklist, in: charter)
  }

  /// Writes a note by another way than the screen.
  func note(_ number: Int, _ note: String?) async throws {
    try await fixture.repository.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: item(number), note: note)
  }
}
