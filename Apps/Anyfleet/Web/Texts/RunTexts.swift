import OffshorePresentation

// The texts of the page that runs a checklist.

extension LocalizedText {
  static let openingChecklist = LocalizedText(
    en: "Opening the checklist…", ru: "Открываем чек-лист…")
  static let resetUnreadable = LocalizedText(
    en: "Reset the checklist on its charter’s page to begin anew. All other data is unaffected.",
    ru: "Чтобы начать заново, сбросьте чек-лист на странице чартера. Остальные данные не затронуты."
  )
  static let othersUnaffected = LocalizedText(
    en: "All other data is unaffected.", ru: "Остальные данные не затронуты.")
  static let progress = LocalizedText(en: "Progress", ru: "Прогресс")

  /// Returns the number of critical items that are not checked, as a sentence without a full stop.
  static func criticalItemsOpen(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# critical item is open", other: "# critical items are open"),
      ru: .init(
        one: "Не отмечен # важный пункт", few: "Не отмечены # важных пункта",
        many: "Не отмечено # важных пунктов"))
  }

  /// Returns the number of items with a problem.
  static func problems(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# problem", other: "# problems"),
      ru: .init(one: "# замечание", few: "# замечания", many: "# замечаний"))
  }

  /// Returns the number of items with unsaved changes, as a sentence without a full stop.
  static func itemsUnsaved(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# item has changes that are not saved",
        other: "# items have changes that are not saved"
      ),
      ru: .init(
        one: "Изменения в # пункте не сохранены", few: "Изменения в # пунктах не сохранены",
        many: "Изменения в # пунктах не сохранены"))
  }

  // MARK: - Remarks

  static let condition = LocalizedText(en: "Condition", ru: "Состояние")
  static let noteAndCondition = LocalizedText(en: "Note and condition", ru: "Заметка и состояние")
  static let saved = LocalizedText(en: "Saved ✓", ru: "Сохранено ✓")

  // MARK: - Ending

  /// Returns a sentence that all items are checked.
  static func allDone(_ count: Int, at time: String?) -> LocalizedText {
    let done = LocalizedText(en: "All \(count) done", ru: "Всё готово: \(count)")
    guard let time else { return done }
    return LocalizedText(en: "\(done.in(.english)), \(time)", ru: "\(done.in(.russian)), \(time)")
  }

  static let finish = LocalizedText(en: "Finish", ru: "Завершить")
  static let finishAnyway = LocalizedText(en: "Finish anyway", ru: "Всё равно завершить")
  static let keepGoing = LocalizedText(en: "Keep going", ru: "Продолжить проверку")
  static let resetChecklist = LocalizedText(en: "Reset checklist", ru: "Сбросить чек-лист")
  static let resetQuestion = LocalizedText(
    en: "All ticks, notes and conditions of this checklist are removed from this charter.",
    ru: "Все отметки, заметки и состояния этого чек-листа в этом чартере будут удалены.")
  static let editForThisCharter = LocalizedText(
    en: "Change for this charter", ru: "Изменить для этого чартера")

  /// Returns a sentence that a checklist was reset, with its title if it is known.
  static func wasReset(_ title: String?) -> LocalizedText {
    title.map { LocalizedText(en: "“\($0)” was reset.", ru: "«\($0)» сброшен.") }
      ?? LocalizedText(en: "The checklist was reset.", ru: "Чек-лист сброшен.")
  }
}
