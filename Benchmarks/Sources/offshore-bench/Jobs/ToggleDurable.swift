import Anyfleet
import Foundation

/// Toggles an item of a checklist of 40 on screen, and waits until the change is on the disk.
///
/// At most one in a hundred toggles may take longer than a frame of 16 ms.
struct ToggleDurable: Job {
  let name = "toggle-durable"
  let goal = Goal.milliseconds(must: 2)

  private let frame = 16.0
  private let rounds = 1000

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let stored = try await ChecklistOnDisk(folder.file("anyfleet.sqlite"), items: 40)
    var measurement = Measurement()
    measurement.ours = try await toggle(stored)
    let late = measurement.ours.count { $0 >= frame }
    measurement.counts["p99 over \(Int(frame)) ms"] = .init(
      found: late > rounds / 100 ? 1 : 0, expected: 0)
    return measurement
  }

  /// Measures all rounds, in milliseconds.
  @MainActor
  private func toggle(_ stored: ChecklistOnDisk) async throws -> [Double] {
    let viewModel = stored.makeViewModel()
    await viewModel.load()
    var times: [Double] = []
    for round in 0..<rounds {
      let item = stored.checklist.items[round % stored.checklist.items.count].id
      let isChecked = !viewModel.checkedItems.contains(item)
      times.append(
        await Measurement.milliseconds {
          viewModel.toggleItem(item)
          await viewModel.settled()
        })
      let state = try await stored.repository.loadExecutionState(
        checklistID: stored.checklist.id, charterID: stored.charter.id)
      try expect(state?.itemStates[item]?.isChecked == isChecked, "a tick that is stored")
    }
    return times
  }
}
