import Anyfleet
import Foundation

/// Opens a checklist of 500 items, all of them ticked and stored, to what the screen shows.
struct OpenChecklist: Job {
  let name = "open-checklist"
  let goal = Goal.milliseconds(must: 5)

  private let items = 500

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChecklistOnDisk(folder.file("anyfleet.sqlite"), items: items)
    try await tickAll(stored)
    var measurement = Measurement()
    for _ in 0..<Measurement.rounds { measurement.ours.append(try await open(stored)) }
    return measurement
  }

  private func tickAll(_ stored: ChecklistOnDisk) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for item in stored.checklist.items {
        group.addTask {
          try await stored.repository.saveItemState(
            checklistID: stored.checklist.id, charterID: stored.charter.id, itemID: item.id,
            isChecked: true)
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
    return time
  }
}
