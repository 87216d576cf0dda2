import AnyfleetTestSupport
import Foundation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

struct ChecklistExecutionStateTests {
  private let checklist = Checklist.sample(items: 4)

  private func state(checked: [UUID], unchecked: [UUID] = []) -> ChecklistExecutionState {
    var state = ChecklistExecutionState(
      id: UUID(), checklistID: checklist.id, charterID: UUID(), createdAt: .day(6, 6))
    for id in checked {
      state.itemStates[id] = ChecklistItemState(itemID: id, isChecked: true, checkedAt: .day(6, 6))
    }
    for id in unchecked {
      state.itemStates[id] = ChecklistItemState(itemID: id, isChecked: false, checkedAt: nil)
    }
    return state
  }

  @Test func `Checked items are counted in total or for one checklist`() {
    let ids = checklist.items.map(\.id)
    let state = state(checked: [ids[0], ids[1], UUID()], unchecked: [ids[2]])
    #expect(state.checkedCount == 3)
    #expect(state.checkedCount(in: checklist) == 2)
  }

  @Test func `Progress is a fraction of at most 1, and 0 without items`() {
    let state = state(checked: [UUID(), UUID(), UUID()])
    #expect(state.progressPercentage(totalItems: 4) == 0.75)
    #expect(state.progressPercentage(totalItems: 2) == 1)
    #expect(state.progressPercentage(totalItems: 0) == 0)
    #expect(state.progressPercentage(totalItems: -1) == 0)
  }

  @Test func `A new state is pending and empty`() {
    let state = ChecklistExecutionState(id: UUID(), checklistID: UUID(), charterID: UUID())
    #expect(state.itemStates.isEmpty)
    #expect(state.syncStatus == .pending)
    #expect(state.lastUpdated == state.createdAt)
    #expect(state.completedAt == nil)
  }

  @Test func `A checklist is complete from the time its last item was checked`() {
    let ids = checklist.items.map(\.id)
    var dates = [ids[0]: Date.day(6, 6), ids[1]: .day(6, 9), ids[2]: .day(6, 7)]
    let open = ChecklistCompletion(itemIDs: ids, checkedAt: dates)
    #expect((open.checkedCount, open.itemCount) == (3, 4))
    #expect((open.percent, open.fraction) == (75, 0.75))
    #expect(open.completedAt == nil)
    dates[ids[3]] = .day(6, 8)
    let complete = ChecklistCompletion(itemIDs: ids, checkedAt: dates)
    #expect(complete.completedAt == .day(6, 9))
    #expect(complete.percent == 100)
  }

  @Test func `The percentage is rounded down, so that 100 means complete`() {
    let ids = (0..<300).map { _ in UUID() }
    let dates = Dictionary(uniqueKeysWithValues: ids.dropLast().map { ($0, Date.day(6, 6)) })
    #expect(ChecklistCompletion(itemIDs: ids, checkedAt: dates).percent == 99)
  }

  @Test func `A checklist without items is neither begun nor complete`() {
    let none = ChecklistCompletion(itemIDs: [UUID](), checkedAt: [UUID(): .day(6, 6)])
    #expect((none.percent, none.fraction, none.checkedCount) == (0, 0, 0))
    #expect(none.completedAt == nil)
  }

  @Test func `All devices derive the same id for the state of a checklist in a charter`() throws {
    let charter = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let checklist = try #require(UUID(uuidString: "6BA7B811-9DAD-11D1-80B4-00C04FD430C8"))
    let id = ChecklistExecutionState.id(charterID: charter, checklistID: checklist)
    #expect(id == UUID(name: checklist.uuidString, in: charter))
    #expect(id != ChecklistExecutionState.id(charterID: checklist, checklistID: charter))
  }
}
