import Foundation
import OffshoreFiles
import OffshorePresentationTesting
import Testing

@testable import ShiftScheduler

/// Differences of lists, and their inverses.
struct ScheduleEditTests {
  private func shifts(_ numbers: [Int]) -> [ScheduledShift] { numbers.map { .june($0) } }

  private func applying(
    _ edits: [ScheduleEdit], to shifts: [ScheduledShift]
  ) throws -> [ScheduledShift] {
    var content = try ScheduleContent(locations: [], shiftTypes: [], shifts: shifts)
    try content.perform(.apply(edits), .numbered())
    return Array(content[ScheduledShift.self])
  }

  @Test(arguments: [
    ([1, 2, 3, 4, 5], [2, 4]), ([1, 2], [1, 2, 3]), ([], [1, 2]), ([1, 2, 3], []),
    ([1, 2, 3, 4], [2, 3, 6, 7]), ([1, 2, 3], [9, 1, 3]),
  ])
  func `Edits lead from one list to another, and their inverses back`(
    _ old: [Int], _ new: [Int]
  ) throws {
    let (before, after) = (shifts(old), shifts(new))
    let edits = before.edits(to: after)
    #expect(try applying(edits, to: before) == after)
    let change = ScheduleChange(moment: .distantPast, edits: edits)
    #expect(try applying(change.inverse.edits, to: after) == before)
    #expect(change.inverse.inverse == change)
  }

  @Test func `Records that are equal have no edits`() {
    #expect(shifts([1, 2]).edits(to: shifts([2, 1])) == [])
  }

  @Test func `A changed record has an edit without a place`() {
    let done = ScheduledShift.june(2, status: .done)
    #expect(
      shifts([1, 2]).edits(to: [.june(1), done]) == [.shift(before: .june(2), after: done)])
  }

  @Test func `Edits that do not find their records are refused with the stored ones`() throws {
    var content = try ScheduleContent(
      locations: [.harbor], shiftTypes: [], shifts: [.june(1, status: .done)])
    var moved = Location.harbor
    moved.name = "Pier"
    let edits: [ScheduleEdit] = [
      .location(before: .harbor, after: moved), .shift(before: .june(1), after: nil),
      .shiftType(before: .early, after: nil),
    ]
    let refusal = #expect(throws: EditRefusal.self) {
      try content.perform(.apply(edits), .numbered())
    }
    #expect(
      refusal?.differences == [
        .shift(before: .june(1), after: .june(1, status: .done)),
        .shiftType(before: .early, after: nil),
      ])
  }

  @Test func `Only the newest changes stay in a log`() throws {
    var content = ScheduleContent()
    let stamp = ChangeStamp()
    for number in 0..<(ScheduleChange.logLimit + 3) {
      try content.perform(.save(Location(id: UUID(number: 1), name: "\(number)")), stamp)
    }
    #expect(content.changes.count == 500)
    guard case .location(_, let after, _) = content.changes.last?.edits.first else {
      Issue.record("The last change is missing.")
      return
    }
    #expect(after?.name == "502")
  }
}
