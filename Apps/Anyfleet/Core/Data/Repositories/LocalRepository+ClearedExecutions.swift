public import Foundation
import Offshore

extension LocalRepository {
  @discardableResult
  public func clearExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ClearedExecution? {
    try await write("clearExecutionState", toCharter: charterID) { writer in
      let rows = try writer.remove(
        Self.rows(checklistID, charterID), Self.notes(checklistID, charterID))
      guard !rows.isEmpty else { return nil }
      return ClearedExecution(
        id: .init(charterID: charterID, checklistID: checklistID), rows: rows)
    }
  }

  public func restoreExecutionState(_ cleared: ClearedExecution) async throws {
    try await write("restoreExecutionState", toCharter: cleared.id.charterID) { [now] writer in
      let states = Self.rows(cleared.id.checklistID, cleared.id.charterID)
      let newer = try states.one(writer)
      if newer != nil { try states.delete(writer) }
      try cleared.rows.restore(writer)
      try states.update(writer) { [$0.syncStatus.set(.pending)] }
      if let newer { try Self.add(newer, at: now(), writer) }
      try Self.countProgress(of: states, writer)
    }
  }

  /// Puts what was ticked since over the state that was put back.
  private static func add(_ newer: ExecutionRow, at now: Date, _ writer: Writer) throws {
    guard let restored = try rows(newer.checklistID, newer.charterID).one(writer) else {
      return try newer.insert(writer)
    }
    var both = restored
    both.itemStates.entries.merge(newer.itemStates.entries) { $1 }
    both.lastUpdated = now
    try restored.update(changing: both, writer)
  }
}
