import Foundation
public import OffshorePresentation
import OffshoreWire

/// The texts of a history that may name the thing. Without changes they fit any thing.
public struct HistoryTexts: Sendable {
  /// A paragraph above the entries.
  public var explanation = LocalizedText(
    en: """
      If two devices change the same field at the same time, the later change stays. A deletion stays in \
      any case.
      """,
    ru: """
      Если два устройства одновременно меняют одно и то же поле, остаётся более позднее изменение. \
      Удаление остаётся в любом случае.
      """)
  /// In place of the entries if there is none.
  public var empty = LocalizedText(
    en: "No two devices have changed this at the same time.",
    ru: "Два устройства ни разу не меняли это одновременно.")
  /// The device of an edit: this one.
  public var here = LocalizedText(en: "on this device", ru: "на этом устройстве")
  /// The device of an edit: another one.
  public var elsewhere = LocalizedText(en: "on another device", ru: "на другом устройстве")
  /// In place of a value whose row was deleted.
  public var deleted = LocalizedText(en: "deleted", ru: "удалено")
  /// The reason why an edit of a deleted row did not stay, at the end of a sentence.
  public var ended = LocalizedText(
    en: "because a deletion stays", ru: "потому что удаление остаётся в силе")

  /// Texts that fit any thing, to be changed.
  public init() {}
}

// MARK: - Entries

extension HistoryTexts {
  /// The subject of an entry, such as “Boat:”, in front of the sentence.
  func subject(of entry: HistoryEntry) -> LocalizedText {
    LocalizedText { language in
      let label = entry.label.in(language)
      return entry.row.map { "\($0.in(language)) – \(label):" } ?? "\(label):"
    }
  }

  /// The value that stayed and the losing value, with dates and devices.
  /// - Parameter now: the current date; an edit of its day has a time alone.
  func sentence(about entry: HistoryEntry, _ say: Speaker, now: Date) -> String {
    let (winning, losing) = (
      text(of: entry.winning, say, now: now), text(of: entry.losing, say, now: now)
    )
    if entry.areSame {
      return say(
        entry.reason == .later ? .sameAndLater(winning, losing) : .same(winning, losing))
    }
    return say(
      reason(entry.reason).map { .stayed(winning, losing, $0) } ?? .stayed(winning, losing))
  }

  /// A value in words.
  func text(of value: HistoryValue, _ say: Speaker) -> String {
    value == .deleted ? say(deleted) : value.text(say)
  }

  private func text(of side: HistoryEntry.Side, _ say: Speaker, now: Date) -> String {
    let (value, place) = (text(of: side.value, say), side.isFromHere ? here : elsewhere)
    // A day has 25 hours at the most. The calendar is not asked about any date that a device may send.
    let isToday =
      abs(side.date.timeIntervalSince(now)) <= 25 * 3_600
      && say.calendar.isDate(side.date, inSameDayAs: now)
    return say(
      isToday
        ? .edit(value, place, at: say.time(side.date))
        : .edit(value, place, on: say.dayAndTime(side.date)))
  }

  /// The reason if it is not that the other edit was later.
  private func reason(_ reason: Conflict.Reason) -> LocalizedText? {
    switch reason {
    case .later: nil
    case .arrival: .arrivedLater
    case .rule: .byRule
    case .ended: ended
    }
  }
}

extension LocalizedText {
  /// The title of a history, and of the link to it.
  public static let history = LocalizedText(en: "History", ru: "История")

  static let noConflicts = LocalizedText(en: "No Conflicts", ru: "Конфликтов не было")
  static let useOther = LocalizedText(en: "Use the Other Instead", ru: "Взять другое вместо этого")
  static let lookingForConflicts = LocalizedText(
    en: "Looking for conflicts…", ru: "Ищем конфликты…")

  /// The number of entries of a history.
  static func conflicts(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# change was made at the same time as another",
        other: "# changes were made at the same time as others"),
      ru: .init(
        one: "# изменение сделано одновременно с другим",
        few: "# изменения сделаны одновременно с другими",
        many: "# изменений сделано одновременно с другими"))
  }

  fileprivate static func edit(
    _ value: String, _ place: LocalizedText, on date: String
  ) -> LocalizedText {
    LocalizedText(en: "\(value) \(place) on \(date)", ru: "\(value) \(place) \(date)")
  }

  fileprivate static func edit(
    _ value: String, _ place: LocalizedText, at time: String
  ) -> LocalizedText {
    LocalizedText(en: "\(value) \(place) at \(time)", ru: "\(value) \(place) в \(time)")
  }

  fileprivate static func stayed(_ winning: String, _ losing: String) -> LocalizedText {
    LocalizedText(
      en: "\(winning) stayed; \(losing) did not.",
      ru: "\(winning): это осталось. Не осталось: \(losing).")
  }

  fileprivate static func stayed(
    _ winning: String, _ losing: String, _ reason: LocalizedText
  ) -> LocalizedText {
    LocalizedText(
      en: "\(winning) stayed; \(losing) did not, \(reason).",
      ru: "\(winning): это осталось. Не осталось: \(losing), \(reason).")
  }

  fileprivate static func same(_ winning: String, _ losing: String) -> LocalizedText {
    LocalizedText(
      en: "\(winning), and \(losing). Both are the same.",
      ru: "\(winning), и \(losing). Это одно и то же.")
  }

  fileprivate static func sameAndLater(_ winning: String, _ losing: String) -> LocalizedText {
    LocalizedText(
      en: "\(winning), and \(losing). Both are the same; the later one stayed.",
      ru: "\(winning), и \(losing). Это одно и то же; осталось более позднее.")
  }

  fileprivate static let arrivedLater = LocalizedText(
    en: "because the other reached the server later",
    ru: "потому что другое позже дошло до сервера")
  fileprivate static let byRule = LocalizedText(
    en: "by a rule of the app", ru: "по правилу приложения")
}
