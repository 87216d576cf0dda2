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
  /// The subject of an entry, such as “Boat:”.
  func subject(of entry: HistoryEntry) -> LocalizedText {
    LocalizedText { language in
      let label = entry.label.in(language)
      guard let row = entry.row?.in(language) else { return "\(label):" }
      return "\(row), \(label.prefix(1).lowercased() + label.dropFirst()):"
    }
  }

  /// The value that stayed and the losing value, with dates and devices.
  func sentence(about entry: HistoryEntry, _ say: Speaker) -> String {
    let winning = text(of: entry.winning, say)
    let (first, second) = (
      winning.prefix(1).uppercased() + winning.dropFirst(), text(of: entry.losing, say)
    )
    if entry.winning.value == entry.losing.value { return say(.bothAreTheSame(first, second)) }
    return say(reason(entry.reason).map { .stayed(first, second, $0) } ?? .stayed(first, second))
  }

  /// A value in words.
  func text(of value: HistoryValue, _ say: Speaker) -> String {
    value == .deleted ? say(deleted) : value.text(say)
  }

  private func text(of side: HistoryEntry.Side, _ say: Speaker) -> String {
    let place = side.isFromHere ? here : elsewhere
    return say(.edit(text(of: side.value, say), place, say.dayAndTime(side.date)))
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
    _ value: String, _ place: LocalizedText, _ date: String
  ) -> LocalizedText {
    LocalizedText(en: "\(value) \(place) on \(date)", ru: "\(value) \(place) \(date)")
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

  fileprivate static func bothAreTheSame(_ winning: String, _ losing: String) -> LocalizedText {
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
