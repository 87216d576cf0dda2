public import Foundation
import Offshore

/// A charter that was removed with all that belonged to it, to be put back.
public struct DeletedCharter: Equatable, Sendable {
  /// The charter's id.
  public let id: UUID
  /// Whether it was the active one.
  public let wasActive: Bool
  let rows: RemovedRows
}

/// Ticks and notes of a checklist in a charter that were removed, to be put back.
public struct ClearedExecution: Identifiable, Equatable, Sendable {
  /// Which checklist they are of, in which charter.
  public struct ID: Hashable, Sendable {
    public let charterID: UUID
    public let checklistID: UUID
  }

  public let id: ID
  let rows: RemovedRows
}
