public import Foundation
import Offshore

extension LocalRepository {
  @discardableResult
  public func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    try await write("deleteCharter", toCharter: id) { writer in
      guard try CharterRow.find(id).exists(writer) else { return nil }
      let wasActive = try Self.activeID(writer) == id
      try Self.endActivity(of: id, writer)
      // Checklists, progress and notes refer to it and go with it.
      let rows = try writer.remove(CharterRow.find(id))
      return DeletedCharter(id: id, wasActive: wasActive, rows: rows)
    }
  }

  public func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await write("restoreCharter", toCharter: deleted.id) { writer in
      try deleted.rows.restore(writer)
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
