public import Foundation
import Offshore

extension LocalRepository {
  @discardableResult
  public func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    try await write("deleteCharter", toCharter: id) { writer in
      guard try CharterRow.find(id).exists(writer) else { return nil }
      let deleted = DeletedCharter(
        id: id, wasActive: try Self.activeID(writer) == id,
        rows: try RemovedRows(ofCharter: id, writer))
      try Self.endActivity(of: id, writer)
      // Checklists, progress and notes go with it: the database cascades.
      try CharterRow.find(id).delete(writer)
      return deleted
    }
  }

  public func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await write("restoreCharter", toCharter: deleted.id) { writer in
      try deleted.rows.insert(writer)
      // Others may know of the removal by now, and are to be told.
      let id = deleted.id
      try CharterRow.find(id).update(writer) { [$0.syncStatus.set(.pending)] }
      try ExecutionRow.where { $0.charterID == id }
        .update(writer) { [$0.syncStatus.set(.pending)] }
      try Self.countProgress(of: ExecutionRow.where { $0.charterID == id }, writer)
      if deleted.wasActive { try Self.activateUnlessAnother(id, writer) }
    }
  }
}

extension RemovedRows {
  /// All rows that a charter and its checklists, states, and notes have.
  fileprivate init(ofCharter id: UUID, _ reader: Reader) throws {
    tables = [
      try Table(CharterRow.self, where: "id = \(id)", reader),
      try Table(CharterChecklistRow.self, where: "charterID = \(id)", reader),
      try Table(ExecutionRow.self, where: "charterID = \(id)", reader),
      try Table(ItemNoteRow.self, where: "charterID = \(id)", reader),
    ]
  }
}
