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

  /// Why one stayed and the other did not.
  public enum Reason: Hashable, Sendable {
    /// It was said later.
    case later
    /// All of it had been taken away, which ends what others say without knowing of that.
    case ended
  }

  /// What somebody said, and when.
  public struct Version: Hashable, Sendable {
    public let value: Value
    public let date: Date
    /// Whether it was said on this device.
    public let isFromHere: Bool
  }

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
