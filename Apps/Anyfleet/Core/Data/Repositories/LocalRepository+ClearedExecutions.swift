public import Foundation
import Offshore

extension LocalRepository {
  @discardableResult
  public func clearExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ClearedExecution? {
    try await write("clearExecutionState", toCharter: charterID) { writer in
      let rows = try RemovedRows(of: checklistID, in: charterID, writer)
      try Self.rows(checklistID, charterID).delete(writer)
      try Self.notes(checklistID, charterID).delete(writer)
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
      try cleared.rows.insert(writer)
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

extension RemovedRows {
  /// The rows of a checklist's ticks and notes in a charter.
  fileprivate init(of checklistID: UUID, in charterID: UUID, _ reader: Reader) throws {
    let condition: SQL = "charterID = \(charterID) AND checklistID = \(checklistID)"
    tables = [
      try Table(ExecutionRow.self, where: condition, reader),
      try Table(ItemNoteRow.self, where: condition, reader),
    ]
  }
}
