public import Foundation

/// What was decided about a charter where two changed it without knowing of each other.
public struct CharterDecision: Equatable, Identifiable, Sendable {
  /// What was changed.
  public enum Subject: Hashable, Sendable {
    /// The charter's own data.
    case charter
    /// A checklist of the charter, by its title where that is known.
    case checklist(title: String?)
  }

  /// What somebody said of it.
  public enum Value: Hashable, Sendable {
    case name(String)
    case boat(String?)
    case destination(String?)
    case region(String?)
    case firstDay(Date)
    case lastDay(Date)
    /// Both days, where both were decided together.
    case days(Date, Date)
    /// The checklist by which the boat is taken over, by its title where that is known.
    case checkIn(isChosen: Bool, title: String?)
    case guests(Int)
    case crew([CrewMember])
    case budget(CharterBudget?)
    case archived(Bool)
    case title(String)
    case description(String?)
    /// How many items there are, and the titles of those that the other one has not.
    case items(count: Int, own: [String])
    /// The place among the charter's checklists, the first of which is 1.
    case place(Int)
    /// It was taken away altogether.
    case removed
  }

  public typealias Version = DecidedVersion<Value>
  public typealias Reason = DecisionReason

  public let id: UUID
  public let subject: Subject
  /// What stayed.
  public let stayed: Version
  /// What did not.
  public let lost: Version
  /// Why it is so.
  public let reason: Reason
  /// Whether the one that did not stay can be used instead: it is not so now, and there is something to
  /// be changed.
  public let isUsable: Bool
}
