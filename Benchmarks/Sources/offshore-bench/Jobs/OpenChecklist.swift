import Anyfleet
import Foundation

/// Opens a checklist of 500 items, all ticked and a fifth with a note, until the screen shows it.
struct OpenChecklist: Job {
  let name = "open-checklist"
  let goal = Goal.milliseconds(must: 5)

  private let items = 500
  private let notes = 100

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChecklistOnDisk(folder.file("anyfleet.sqlite"), items: items)
    try await fill(stored)
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds { measurement.ours.append(try await open(stored)) }
    return measurement
  }

  private func fill(_ stored: ChecklistOnDisk) async throws {
    let (repository, checklist, charter) = (stored.repository, stored.checklist, stored.charter)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for item in checklist.items {
        group.addTask {
          try await repository.saveItemState(
            checklistID: checklist.id, charterID: charter.id, itemID: item.id, isChecked: true)
        }
      }
      for item in checklist.items.prefix(notes) {
        group.addTask {
          try await repository.saveItemNote(
            checklistID: checklist.id, charterID: charter.id, itemID: item.id,
            note: "A note on “\(item.title)”")
        }
      }
      try await group.waitForAll()
    }
  }

  @MainActor
  private func open(_ stored: ChecklistOnDisk) async throws -> Double {
    let viewModel = stored.makeViewModel()
    let time = await Measurement.milliseconds { await viewModel.load() }
    try expect(viewModel.checkedCount == items, "all items ticked")
    let noted = stored.checklist.items.count { viewModel.remarks(of: $0.id).note != nil }
    try expect(noted == notes, "all notes")
    try expect(viewModel.charter?.id == stored.charter.id, "the charter")
    return time
  }
}
