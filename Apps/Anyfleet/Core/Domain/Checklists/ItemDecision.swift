public import Foundation

/// What was decided about an item of a checklist where two changed it without knowing of each other.
public struct ItemDecision: Equatable, Identifiable, Sendable {
  /// What somebody said of an item.
  public enum Value: Hashable, Sendable {
    case tick(Bool)
    case note(String?)
    case issue(ChecklistItemIssue?)
    /// What was said was taken away altogether, as a reset does.
    case cleared
  }

  public typealias Version = DecidedVersion<Value>
  public typealias Reason = DecisionReason

  public let id: UUID
  public let itemID: UUID
  /// What stayed.
  public let stayed: Version
  /// What did not.
  public let lost: Version
  /// Why it is so.
  public let reason: Reason
  /// Whether the item is not now as the one that did not stay has it, so that it can be used instead.
  public let isUsable: Bool
}
