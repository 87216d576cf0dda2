public import Foundation
public import OffshoreCalendar
public import OffshoreWire

/// A conflict in a history: the winning value, the losing value, and the decision between them.
public struct HistoryEntry: Hashable, Identifiable, Sendable {
  /// The author of an edit.
  public enum Author: Hashable, Sendable {
    /// The user of this device.
    case thisDevice
    /// A member, or the user on another device, by the name of the account.
    case member(String)
    /// The user of another device whose name is unknown.
    case otherDevice
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
    public var isFromThisDevice: Bool { author == .thisDevice }

    init(_ value: HistoryValue, at date: Date, by author: Author) {
      self.value = value
      self.date = date
      self.author = author
    }
  }

  /// One of the values of a conflict, or both.
  public enum Choice: String, CaseIterable, Hashable, Sendable {
    /// The winning value.
    case winning
    /// The losing value.
    case losing
    /// Both texts, one after the other.
    case both
  }

  /// The decision of a conflict.
  public struct Decision: Hashable, Sendable {
    /// The chosen value, or `nil` if another value was entered.
    public let choice: Choice?
    /// The author of the decision.
    public let author: Author
    /// The date of the decision.
    public let date: Date
  }

  /// The id of the conflict, which is the same on every device.
  public let id: UUID
  /// The place of the values.
  public let place: HistoryPlace
  /// The title of the row in quotation marks, or the name of its kind; `nil` in a history of one
  /// row.
  public let row: LocalizedText?
  /// The label of the field.
  public let label: LocalizedText
  /// The value that the merge chose.
  public let winning: Side
  /// The value that the merge did not choose.
  public let losing: Side
  /// The reason for the merge's choice.
  public let reason: Conflict.Reason
  /// Whether the values are equivalent, such as two ticks at different times. Two
  /// values that are not equivalent can still look the same.
  public let areEquivalent: Bool
  /// The decision between the values, or `nil` if they are undecided.
  public let decision: Decision?
  /// The values that can be chosen. These are the values that the row lacks and is valid with;
  /// while the conflict is undecided, also the winning one.
  public let choices: Set<Choice>

  /// Whether the user has to decide: the values differ, and there is no decision.
  public var isOpen: Bool { decision == nil && !areEquivalent }
}

/// The entries of a history, and its heading.
public struct HistoryContent: Hashable, Sendable {
  /// The heading of a history.
  public struct Heading: Hashable, Sendable {
    /// The title of the subject; empty if it has none.
    public let title: String
    /// The title of the page of the subject, to which the history links.
    public let back: String

    /// Creates a heading.
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

/// The presentation of a field's value in a history.
public enum HistoryValue: Hashable, Sendable {
  /// The absence of a value.
  case missing
  /// A text that a user entered, shown in quotation marks.
  case text(String)
  /// A text of the app, such as the label of a choice.
  case words(LocalizedText)
  /// A whole number.
  case number(Int)
  /// An amount of money with its ISO 4217 code.
  case amount(Decimal, currencyCode: String)
  /// A range of days, which may be a single day.
  case days(CalendarDay, CalendarDay)
  /// The number of elements in words, and the names of those that the other value lacks.
  case collection(LocalizedText, own: [String])
  /// The deletion of the row.
  case deleted
}

extension HistoryValue {
  /// The maximum number of names that are shown.
  private static let shownParts = 3

  /// Formats the value in the language of a localizer.
  public func text(_ say: Localizer) -> String {
    switch self {
    case .missing: say(.missing)
    case .text(let text): say(.quoted(text))
    case .words(let words): say(words)
    case .number(let number): say.number(number)
    case .amount(let amount, let code): say.currency(amount, code)
    case .days(let first, let last): say.civilDayRange(first.noon, last.noon)
    case .collection(let count, let own): Self.text(count, own, say)
    case .deleted: say(.deletedValue)
    }
  }

  private static func text(_ count: LocalizedText, _ own: [String], _ say: Localizer) -> String {
    guard !own.isEmpty else { return say(count) }
    let names = own.prefix(shownParts).map { say(.quoted($0)) }.joined(separator: ", ")
    return say(.parts(count, names + (own.count > shownParts ? "…" : "")))
  }
}

extension LocalizedText {
  fileprivate static let missing = LocalizedText(en: "none", ru: "пусто")
  fileprivate static let deletedValue = LocalizedText(en: "deleted", ru: "удалено")

  static func quoted(_ text: String) -> LocalizedText {
    LocalizedText(en: "“\(text)”", ru: "«\(text)»")
  }

  fileprivate static func parts(_ count: LocalizedText, _ names: String) -> LocalizedText {
    LocalizedText(en: "\(count) with \(names)", ru: "\(count), в том числе \(names)")
  }
}
