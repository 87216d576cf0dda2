public import Foundation
public import OffshoreWire

/// A conflict in a history: the value that stayed, the losing value, and the decision between them.
public struct HistoryEntry: Hashable, Identifiable, Sendable {
  /// The author of an edit.
  public enum Author: Hashable, Sendable {
    /// The user of this device.
    case here
    /// A member, or the user on another device, by the name of the account.
    case member(String)
    /// The user of another device, whose name is not known.
    case elsewhere
  }

  /// A value with the date and the author of its edit.
  public struct Side: Hashable, Sendable {
    /// The value.
    public let value: HistoryValue
    /// The date of the edit.
    public let date: Date
    /// The author of the edit.
    public let author: Author
    /// Whether the edit was made on this device.
    public var isFromHere: Bool { author == .here }

    init(_ value: HistoryValue, at date: Date, by author: Author) {
      self.value = value
      self.date = date
      self.author = author
    }
  }

  /// One of the values of a conflict, or both.
  public enum Choice: String, CaseIterable, Hashable, Sendable {
    /// The value that stayed.
    case winning
    /// The losing value.
    case losing
    /// Both texts, one after the other.
    case both
  }

  /// The end of a conflict.
  public struct Decision: Hashable, Sendable {
    /// The value that was chosen, or `nil` if another one was entered.
    public let choice: Choice?
    /// The author of the decision.
    public let author: Author
    /// The date of the decision.
    public let date: Date
  }

  /// An id that the conflict has on every device.
  public let id: UUID
  /// The place of the value.
  public let place: HistoryPlace
  /// The row in a history of several rows: its title in quotation marks, or its kind.
  public let row: LocalizedText?
  /// The label of the field.
  public let label: LocalizedText
  /// The value that stayed.
  public let winning: Side
  /// The value that did not stay.
  public let losing: Side
  /// The reason why the losing value did not stay.
  public let reason: Conflict.Reason
  /// Whether both values mean the same, as two ticks at two times. Values that differ may still be shown alike.
  public let areSame: Bool
  /// The decision between the values, or `nil` while there is none.
  public let decision: Decision?
  /// The values that can be chosen now: the row does not have them, or has them without a decision, and is valid
  /// with them.
  public let choices: Set<Choice>

  /// Whether the user has to look at the values: they differ, and are undecided.
  public var isOpen: Bool { decision == nil && !areSame }
}

/// The entries of a history, and its heading.
public struct HistoryContent: Hashable, Sendable {
  /// The heading of a history.
  public struct Heading: Hashable, Sendable {
    /// The title of the thing; empty if it has none.
    public let title: String
    /// The title of the page on which the thing is shown.
    public let back: String

    /// Names the thing, and the page on which it is shown.
    public init(_ title: String, back: String) {
      self.title = title
      self.back = back
    }
  }

  /// The heading.
  public let heading: Heading
  /// The entries, the newest first.
  public let entries: [HistoryEntry]
}
