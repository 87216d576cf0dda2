public import Foundation

/// Edits that were made together.
public struct ScheduleChange: Identifiable, Hashable, Sendable, Codable {
  public let id: UUID
  /// The time of the change.
  public var moment: Date
  public var edits: [ScheduleEdit]

  /// The number of changes that a log keeps.
  package static let logLimit = 500

  /// Creates a change.
  public init(id: UUID = UUID(), moment: Date, edits: [ScheduleEdit]) {
    self.id = id
    self.moment = moment
    self.edits = edits
  }

  /// The change that reverts this one, with the edits turned around.
  public var inverse: ScheduleChange {
    ScheduleChange(id: id, moment: moment, edits: edits.reversed().map(\.inverse))
  }

  /// Returns whether two changes have the same edits, wherever their records are.
  fileprivate func hasEdits(of other: ScheduleChange) -> Bool {
    edits.count == other.edits.count
      && zip(edits, other.edits).allSatisfy { $0.withoutIndex == $1.withoutIndex }
  }
}

/// The changes that can be undone and redone, by a log of changes.
///
/// A change that reverts the latest one counts as its undoing, and a change that repeats the latest undone
/// one as its redoing. So the log alone has the steps, on each device and after each start.
package struct UndoHistory: Equatable, Sendable {
  /// The changes that can be undone, the latest last.
  package private(set) var undoable: [ScheduleChange] = []
  /// The changes that can be redone, the next one last.
  package private(set) var redoable: [ScheduleChange] = []

  /// Creates the history of a log.
  /// - Parameter changes: The changes in their order.
  package init(_ changes: [ScheduleChange]) {
    for change in changes {
      if let last = undoable.last, change.hasEdits(of: last.inverse) {
        redoable.append(undoable.removeLast())
      } else if let next = redoable.last, change.hasEdits(of: next) {
        undoable.append(redoable.removeLast())
      } else {
        undoable.append(change)
        redoable = []
      }
    }
  }
}
