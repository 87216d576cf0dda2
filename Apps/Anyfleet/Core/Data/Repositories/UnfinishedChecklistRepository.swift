import Foundation
import Offshore

/// A search for the checklist that the user is likely to continue.
///
/// Every method throws ``RepositoryError``.
public protocol UnfinishedChecklistRepository: Sendable {
  /// Observes the unfinished checklist with the latest change.
  ///
  /// It belongs to the active charter if that has one, otherwise to any charter that is not
  /// archived. Unreadable rows are skipped.
  func checklistToContinue() -> any AsyncSequence<ChecklistToContinue?, any Error> & Sendable
}

extension LocalRepository: UnfinishedChecklistRepository {
  /// The number of states per read. The first one nearly always qualifies.
  private static let batchSize = 8

  public func checklistToContinue() -> any AsyncSequence<ChecklistToContinue?, any Error> & Sendable
  {
    values("observeChecklistToContinue") { reader in
      let unfinished = ExecutionRow.where { $0.completedAt == nil }
        .order { [$0.lastUpdated.descending, $0.id.ascending] }
      if let activeID = try Self.activeID(reader),
        let found = try Self.first(of: unfinished.where { $0.charterID == activeID }, reader)
      {
        return found
      }
      return try Self.first(of: unfinished, reader)
    }
  }

  /// Returns the first state whose charter and checklist can be shown.
  private static func first(
    of states: Query<ExecutionRow>, _ reader: Reader
  ) throws -> ChecklistToContinue? {
    var place = 0
    while true {
      let batch = try states.limit(batchSize).offset(place).readable(reader)
      for row in batch.rows {
        if let found = try toContinue(row, reader) { return found }
      }
      guard batch.count == batchSize else { return nil }
      place += batch.count
    }
  }

  private static func toContinue(
    _ row: ExecutionRow, _ reader: Reader
  ) throws -> ChecklistToContinue? {
    do {
      guard let charter = try charter(row.charterID, reader), !charter.isArchived,
        let checklist = try checklist(row.checklistID, in: row.charterID, reader),
        !checklist.itemIDs.isEmpty
      else { return nil }
      return ChecklistToContinue(
        charter: charter, checklist: checklist, state: row.state(with: []))
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }
}
