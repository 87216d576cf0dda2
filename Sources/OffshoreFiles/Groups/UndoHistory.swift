/// The changes that can be undone and redone, by a log of changes.
///
/// ```swift
/// let history = UndoHistory(try await group.loadChanges())
/// if let change = history.undoable.last {
///   try await group.perform(.apply(change.inverseEdits))
/// }
/// ```
///
/// A change that reverts the latest one counts as its undoing, and a change that repeats the latest
/// undone one as its redoing. So the log alone has the steps, on each device and after each start.
public struct UndoHistory<Change: LoggedChange>: Equatable, Sendable {
  /// The changes that can be undone, the latest last.
  public private(set) var undoable: [Change] = []
  /// The changes that can be redone, the next one last.
  public private(set) var redoable: [Change] = []

  /// Creates the history of a log.
  /// - Parameter changes: The changes in their order.
  public init(_ changes: [Change]) {
    for change in changes {
      if let last = undoable.last, change.edits.areInverse(of: last.edits) {
        redoable.append(undoable.removeLast())
      } else if let next = redoable.last, change.edits.areEqual(to: next.edits) {
        undoable.append(redoable.removeLast())
      } else {
        undoable.append(change)
        redoable = []
      }
    }
  }
}

extension Array where Element: LoggedEdit {
  /// Returns whether these are the inverse edits of others, wherever their elements are.
  fileprivate func areInverse(of others: [Element]) -> Bool {
    // The inverse edits are not made as an array, because this is called for each entry of a log.
    count == others.count
      && zip(self, others.reversed()).allSatisfy { $0.withoutIndex == $1.inverse.withoutIndex }
  }

  /// Returns whether these are the same edits, wherever their elements are.
  fileprivate func areEqual(to others: [Element]) -> Bool {
    count == others.count && zip(self, others).allSatisfy { $0.withoutIndex == $1.withoutIndex }
  }
}

extension LoggedEdit {
  /// The edit without the place of its element.
  package var withoutIndex: Self { typed.withoutIndex }
}
