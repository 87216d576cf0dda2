import Anyfleet
import Foundation
import OffshoreLogging

/// A checklist and a charter in a file that syncs the disk with every commit.
struct ChecklistOnDisk: Sendable {
  let checklist: Checklist
  let charter: CharterModel
  let repository: LocalRepository

  init(_ path: String, items: Int) async throws {
    let now = Date()
    let items = (0..<items).map { ChecklistItem(id: UUID(), title: "Item number \($0)") }
    checklist = Checklist(
      id: UUID(), title: "Check-in",
      sections: [ChecklistSection(id: UUID(), title: "All", items: items)], creatorID: UUID())
    charter = CharterModel(
      id: UUID(), name: "Kornati", boatName: nil, location: nil, startDate: now, endDate: now,
      createdAt: now, checkInChecklistID: nil)
    repository = LocalRepository(
      database: try AppDatabase(path: path), logger: AppLogger(.repository, to: .none))
    try await repository.saveChecklist(checklist)
    try await repository.createCharter(charter)
  }

  /// Creates the screen that runs the checklist, not loaded yet.
  @MainActor
  func makeViewModel() -> ChecklistExecutionViewModel {
    ChecklistExecutionViewModel(
      libraryStore: LibraryStore(repository: repository), executionRepository: repository,
      charterID: charter.id, checklistID: checklist.id,
      charterStore: CharterStore(repository: repository))
  }
}
