import Foundation
import Offshore

/// How progress follows the items that a checklist has.
extension LocalRepository {
  /// Counts the progress of states anew, as far as they can be read.
  static func countProgress(of states: Query<ExecutionRow>, _ writer: Writer) throws {
    for state in try states.readable(writer).rows {
      var counted = state
      counted.count(itemIDs: try itemIDs(of: state.checklistID, in: state.charterID, writer))
      try state.update(changing: counted, writer)
    }
  }

  /// The current items of a checklist in a charter, or `nil` where it is unknown or damaged: a tick is
  /// kept even so.
  static func itemIDs(
    of checklistID: UUID, in charterID: UUID, _ reader: Reader
  ) throws -> Set<UUID>? {
    do {
      return try checklist(checklistID, in: charterID, reader)?.itemIDs
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// The checklist that a charter runs: its snapshot, or the library's where it has none.
  static func checklist(
    _ id: UUID, in charterID: UUID, _ reader: Reader
  ) throws -> Checklist? {
    if let row = try snapshot(id, in: charterID).one(reader) { return row.checklist.snapshot }
    return try Checklist.find(id).one(reader)
  }

  /// A charter's snapshot of a checklist.
  static func snapshot(_ id: UUID, in charterID: UUID) -> Query<CharterChecklistRow> {
    CharterChecklistRow.find(CharterChecklist.id(charterID: charterID, checklistID: id))
  }
}
