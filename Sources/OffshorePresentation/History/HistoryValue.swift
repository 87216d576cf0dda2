public import Foundation
public import OffshoreCalendar

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
  case parts(LocalizedText, own: [String])
  /// The deletion of the row.
  case deleted
}

extension HistoryValue {
  /// The maximum number of names that are shown.
  private static let shownParts = 3

  /// Formats the value in the language of a speaker.
  public func text(_ say: Speaker) -> String {
    switch self {
    case .missing: say(.missing)
    case .text(let text): say(.quoted(text))
    case .words(let words): say(words)
    case .number(let number): say.number(number)
    case .amount(let amount, let code): say.currency(amount, code)
    case .days(let first, let last): say.civilDayRange(first.noon, last.noon)
    case .parts(let count, let own): Self.text(count, own, say)
    case .deleted: say(.deletedValue)
    }
  }

  private static func text(_ count: LocalizedText, _ own: [String], _ say: Speaker) -> String {
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
