import Foundation
public import Observation

/// What was reset while the app runs, to be put back from whichever screen.
@MainActor @Observable
public final class ClearedExecutions {
  private struct Key: Hashable {
    let charterID: UUID
    let checklistID: UUID
  }

  /// How many are kept; beyond, the oldest goes.
  static let maximumCount = 20

  private var cleared: [Key: ClearedExecution] = [:]
  /// The keys in the order in which they were kept.
  @ObservationIgnored private var order: [Key] = []

  /// Keeps nothing yet.
  public init() {}

  /// Whether something of a checklist in a charter can be put back.
  func has(checklistID: UUID, charterID: UUID) -> Bool {
    cleared[Key(charterID: charterID, checklistID: checklistID)] != nil
  }

  /// Keeps what was removed, in place of what was removed of the same checklist before.
  func keep(_ execution: ClearedExecution) {
    let key = Key(charterID: execution.charterID, checklistID: execution.checklistID)
    order.removeAll { $0 == key }
    order.append(key)
    cleared[key] = execution
    if order.count > Self.maximumCount { cleared[order.removeFirst()] = nil }
  }

  /// Hands out what was removed, and keeps it no more.
  func take(checklistID: UUID, charterID: UUID) -> ClearedExecution? {
    let key = Key(charterID: charterID, checklistID: checklistID)
    order.removeAll { $0 == key }
    return cleared.removeValue(forKey: key)
  }
}
