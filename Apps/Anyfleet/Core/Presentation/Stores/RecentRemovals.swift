public import Foundation
import Observation

/// A charter that was removed a while ago, and can be put back.
public struct RemovedCharter: Identifiable, Equatable, Sendable {
  /// What it was called, where that can be read.
  public let name: String?
  let deleted: DeletedCharter

  public var id: UUID { deleted.id }
}

/// What was removed last, for as long as the app runs, so that it can be put back by another screen
/// than the one that removed it.
@MainActor @Observable
final class RecentRemovals {
  /// How many of each kind are kept.
  static let limit = 20

  private var charters: [RemovedCharter] = []
  private var executions: [ClearedExecution] = []

  /// Creates an empty list.
  init() {}

  func charter(_ id: UUID) -> RemovedCharter? { charters.last { $0.id == id } }

  func add(_ charter: RemovedCharter) {
    charters = charters.filter { $0.id != charter.id }.suffix(Self.limit - 1) + [charter]
  }

  func forgetCharter(_ id: UUID) { charters.removeAll { $0.id == id } }

  func execution(of checklistID: UUID, in charterID: UUID) -> ClearedExecution? {
    executions.last { $0.checklistID == checklistID && $0.charterID == charterID }
  }

  func add(_ execution: ClearedExecution) {
    forgetExecution(of: execution.checklistID, in: execution.charterID)
    executions = executions.suffix(Self.limit - 1) + [execution]
  }

  func forgetExecution(of checklistID: UUID, in charterID: UUID) {
    executions.removeAll { $0.checklistID == checklistID && $0.charterID == charterID }
  }
}
