import Foundation
public import OffshorePresentation
import OffshoreWire

/// The texts of a history that can name its subject. Their initial values fit any subject.
public struct HistoryTexts: Sendable {
  /// A paragraph above the entries.
  public var explanation = LocalizedText(
    en: """
      If two devices change the same field at the same time, the later change stays, and a deletion in any \
      case. No version is lost: choose the one to keep.
      """,
    ru: """
      Если два устройства одновременно меняют одно и то же поле, остаётся более позднее изменение, а \
      удаление остаётся в силе. Ни один вариант не потерян: выберите, какой оставить.
      """)
  /// The text of an empty history.
  public var empty = LocalizedText(
    en: "No two devices have changed this at the same time.",
    ru: "Два устройства ни разу не меняли это одновременно.")
  /// The author of an edit on this device.
  var here = LocalizedText(en: "You", ru: "Вы")
  /// The author of an edit on another device whose name is unknown.
  public var elsewhere = LocalizedText(en: "Another device", ru: "Другое устройство")
  /// The text for a value whose row was deleted.
  public var deleted = LocalizedText(en: "deleted", ru: "удалено")
  /// The reason why an edit of a deleted row lost.
  public var ended = LocalizedText(en: "A deletion stays.", ru: "Удаление остаётся в силе.")

  /// Creates the texts that fit any subject.
  public init() {}
}

// MARK: - Entries

extension HistoryTexts {
  /// Returns the subject of an entry, such as “Boat:”, to be followed by a sentence.
  func subject(of entry: HistoryEntry) -> LocalizedText {
    LocalizedText { language in
      let label = entry.label.in(language)
      return entry.row.map { "\($0.in(language)) – \(label):" } ?? "\(label):"
    }
  }

  /// Returns the author and the date of an edit.
  /// - Parameter now: the current date. An edit on the same day is shown with its time only.
  func origin(of side: HistoryEntry.Side, _ say: Localizer, now: Date) -> String {
    "\(author(side.author, say)), \(Self.moment(side.date, say, now: now))"
  }

  /// Returns the title of the button that chooses one of the values. It names the author if that
  /// distinguishes the two values.
  func keeping(_ choice: HistoryEntry.Choice, of entry: HistoryEntry) -> LocalizedText {
    let (side, other) =
      choice == .winning ? (entry.winning, entry.losing) : (entry.losing, entry.winning)
    if side.isFromThisDevice { return .keepMine }
    if other.isFromThisDevice { return .keepTheirs }
    guard case .member(let name) = side.author, side.author != other.author else {
      return .keepThis
    }
    return .keepVersion(of: name)
  }

  /// Returns a sentence about the decision or, without one, about the reason for the winning value.
  func outcome(of entry: HistoryEntry, _ say: Localizer, now: Date) -> String {
    guard let decision = entry.decision else {
      return say(entry.areEquivalent ? .bothAreSame : reason(entry.reason))
    }
    let moment = Self.moment(decision.date, say, now: now)
    let value =
      switch decision.choice {
      case .winning: text(of: entry.winning.value, say)
      case .losing: text(of: entry.losing.value, say)
      case .both: say(.bothValues)
      case nil: say(.anotherValue)
      }
    return say(
      decision.author == .thisDevice
        ? .youChose(value, moment) : .chose(author(decision.author, say), value, moment))
  }

  /// Returns a value in words.
  func text(of value: HistoryValue, _ say: Localizer) -> String {
    value == .deleted ? say(deleted) : value.text(say)
  }

  private func author(_ author: HistoryEntry.Author, _ say: Localizer) -> String {
    switch author {
    case .thisDevice: say(here)
    case .member(let name): name
    case .otherDevice: say(elsewhere)
    }
  }

  private static func moment(_ date: Date, _ say: Localizer, now: Date) -> String {
    // A day has at most 25 hours. Other dates are not passed to the calendar, because a device may
    // send any date.
    let isToday =
      abs(date.timeIntervalSince(now)) <= 25 * 3_600
      && say.calendar.isDate(date, inSameDayAs: now)
    return isToday ? say.time(date) : say.dayAndTime(date)
  }

  private func reason(_ reason: Conflict.Reason) -> LocalizedText {
    switch reason {
    case .later: .laterStayed
    case .arrival: .arrivedLater
    case .rule: .byRule
    case .ended: ended
    }
  }
}

extension LocalizedText {
  /// The title of a history, and of the link to it.
  public static let history = LocalizedText(en: "History", ru: "История")

  static let noConflicts = LocalizedText(en: "No conflicts", ru: "Конфликтов не было")
  static let lookingForConflicts = LocalizedText(
    en: "Looking for conflicts…", ru: "Ищем конфликты…")
  /// The mark of a place with an undecided conflict.
  public static let twoVersions = LocalizedText(en: "2 versions", ru: "2 версии")
  static let inUse = LocalizedText(en: "In use", ru: "Действует")
  static let keepMine = LocalizedText(en: "Keep mine", ru: "Оставить моё")
  static let keepTheirs = LocalizedText(en: "Keep theirs", ru: "Оставить чужое")
  static let keepThis = LocalizedText(en: "Keep this version", ru: "Оставить этот вариант")
  static let keepBoth = LocalizedText(en: "Keep both", ru: "Оставить оба")

  fileprivate static func keepVersion(of name: String) -> LocalizedText {
    LocalizedText(en: "Keep \(name)’s", ru: "Оставить вариант (\(name))")
  }

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

  fileprivate static let bothValues = LocalizedText(en: "both", ru: "оба варианта")
  fileprivate static let anotherValue = LocalizedText(en: "another value", ru: "другое значение")

  fileprivate static func youChose(_ value: String, _ moment: String) -> LocalizedText {
    LocalizedText(en: "You chose \(value), \(moment).", ru: "Вы выбрали \(value), \(moment).")
  }

  fileprivate static func chose(
    _ author: String, _ value: String, _ moment: String
  ) -> LocalizedText {
    LocalizedText(
      en: "\(author) chose \(value), \(moment).", ru: "\(author): выбрано \(value), \(moment).")
  }

  // MARK: - Reasons

  fileprivate static let bothAreSame = LocalizedText(
    en: "Both are the same.", ru: "Это одно и то же.")
  fileprivate static let laterStayed = LocalizedText(
    en: "The later change stayed.", ru: "Осталось более позднее изменение.")
  fileprivate static let arrivedLater = LocalizedText(
    en: "The change that reached the server later stayed.",
    ru: "Осталось то, что позже дошло до сервера.")
  fileprivate static let byRule = LocalizedText(
    en: "A rule of the app decided.", ru: "Решило правило приложения.")
}
