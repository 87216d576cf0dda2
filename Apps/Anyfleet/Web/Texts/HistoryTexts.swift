import Anyfleet
import Foundation
import OffshorePresentation

// What the page says on which it stands what was decided of an item.

extension LocalizedText {
  static let history = LocalizedText(en: "History", ru: "История")
  static let historyExplained = LocalizedText(
    en: """
      Where two changed the same without knowing of each other, the later one stays. What was reset stays \
      reset.
      """,
    ru: """
      Если двое изменили одно и то же, не зная друг о друге, остаётся более позднее. Сброшенное \
      остаётся сброшенным.
      """)
  static let lookingForHistory = LocalizedText(
    en: "Looking for what was decided…", ru: "Ищем, что было решено…")
  static let noHistory = LocalizedText(en: "Nothing to Tell", ru: "Рассказать нечего")
  static let noHistoryText = LocalizedText(
    en: "Nobody has changed this item at the same time as somebody else.",
    ru: "Этот пункт никто не менял одновременно с другими.")
  static let useThisInstead = LocalizedText(
    en: "Use the Other Instead", ru: "Взять другое вместо этого")

  /// What somebody said, such as “ticked”.
  static func value(of version: ItemDecision.Version) -> LocalizedText {
    switch version.value {
    case .tick(true): LocalizedText(en: "ticked", ru: "отмечено")
    case .tick(false): LocalizedText(en: "unticked", ru: "отметка снята")
    case .note(let text?): LocalizedText(en: "note “\(text)”", ru: "заметка «\(text)»")
    case .note(nil): LocalizedText(en: "note removed", ru: "заметка удалена")
    case .issue(let found?):
      LocalizedText(
        en: "condition “\(found.title.in(.english))”",
        ru: "состояние «\(found.title.in(.russian))»")
    case .issue(nil): LocalizedText(en: "condition removed", ru: "состояние удалено")
    case .cleared: LocalizedText(en: "cleared", ru: "очищено")
    }
  }

  /// What stayed and what did not.
  /// - Parameter told: says when something was, such as “at 10:41”.
  static func decision(
    _ decision: ItemDecision, told: (Date) -> LocalizedText
  ) -> LocalizedText {
    let (stayed, lost) = (
      said(value(of: decision.stayed), decision.stayed, told(decision.stayed.date)),
      said(value(of: decision.lost), decision.lost, told(decision.lost.date))
    )
    if decision.stayed.value == decision.lost.value {
      return LocalizedText(
        en: "\(stayed.in(.english).capitalizedFirst), and \(lost.in(.english)). "
          + "Both say the same; \(which(decision.reason).in(.english)) stayed.",
        ru: "\(stayed.in(.russian).capitalizedFirst), и \(lost.in(.russian)). "
          + "Сказано одно и то же; осталось \(which(decision.reason).in(.russian)).")
    }
    return decided(stayed, lost, because: decision.reason.explanation)
  }

  /// What stayed and what did not, and why where that is not what one expects.
  static func decided(
    _ stayed: LocalizedText, _ lost: LocalizedText, because why: LocalizedText?
  ) -> LocalizedText {
    LocalizedText(
      en: "\(stayed.in(.english).capitalizedFirst) stayed; \(lost.in(.english)) did not"
        + (why.map { ", \($0.in(.english))." } ?? "."),
      ru: "Осталось: \(stayed.in(.russian)). Не осталось: \(lost.in(.russian))"
        + (why.map { ", \($0.in(.russian))." } ?? "."))
  }

  /// Which of two stayed that say the same.
  private static func which(_ reason: ItemDecision.Reason) -> LocalizedText {
    switch reason {
    case .later: LocalizedText(en: "the later one", ru: "более позднее")
    case .ended: LocalizedText(en: "the reset", ru: "сброшенное")
    }
  }

  /// When something was on the day of today.
  static func at(_ time: String) -> LocalizedText {
    LocalizedText(en: "at \(time)", ru: "в \(time)")
  }

  /// When something was on another day.
  static func on(_ dayAndTime: String) -> LocalizedText {
    LocalizedText(en: "on \(dayAndTime)", ru: "\(dayAndTime)")
  }

  /// What somebody said, on which device and when.
  static func said<Value>(
    _ value: LocalizedText, _ version: DecidedVersion<Value>, _ time: LocalizedText
  ) -> LocalizedText {
    let place: LocalizedText =
      version.isFromHere
      ? LocalizedText(en: "on this phone", ru: "на этом телефоне")
      : LocalizedText(en: "on another phone", ru: "на другом телефоне")
    return LocalizedText { language in
      [value, place, time].map { $0.in(language) }.joined(separator: " ")
    }
  }
}

extension ItemDecision.Reason {
  /// Why it is so where it is not what one expects, which is that the later stays.
  fileprivate var explanation: LocalizedText? {
    switch self {
    case .later: nil
    case .ended:
      LocalizedText(
        en: "as what is reset stays reset", ru: "потому что сброшенное остаётся сброшенным")
    }
  }
}

extension String {
  /// The text with a capital letter at its beginning.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
