import OffshorePresentation

// What the page of a charter and its report say.

extension LocalizedText {
  static let lookingForChecklists = LocalizedText(
    en: "Looking for checklists…", ru: "Ищем чек-листы…")
  static let noChecklists = LocalizedText(en: "No Checklists", ru: "Чек-листов нет")
  static let addFromLibrary = LocalizedText(
    en: "Add some from your library.", ru: "Добавьте их из библиотеки.")
  static let noneAdded = LocalizedText(
    en: "Nobody has added any yet.", ru: "Их пока никто не добавил.")
  static let addChecklists = LocalizedText(en: "Add checklists", ru: "Добавить чек-листы")
  static let addChosen = LocalizedText(en: "Add", ru: "Добавить")
  static let arrangeChecklists = LocalizedText(
    en: "Arrange and reset checklists", ru: "Порядок и сброс чек-листов")
  static let useAtCheckIn = LocalizedText(en: "Use at Check-In", ru: "Для приёмки")
  static let notAtCheckIn = LocalizedText(en: "Not at Check-In", ru: "Не для приёмки")
  static let removalKeepsProgress = LocalizedText(
    en: "A checklist that is removed keeps its ticks, should you add it again.",
    ru: "Если убрать чек-лист, отметки сохранятся на случай, если вы добавите его снова.")
  static func unassigned(_ title: String) -> LocalizedText {
    LocalizedText(
      en: "“\(title)” was removed from this charter.",
      ru: "Чек-лист «\(title)» убран из этого чартера.")
  }
  static let progressUnreadable = LocalizedText(
    en: "Progress cannot be read", ru: "Отметки не удаётся прочитать")
  static let unreadable = LocalizedText(en: "Unreadable", ru: "Не читается")
  static let checklistDone = LocalizedText(en: "Done", ru: "Готово")

  static func progress(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(en: "\(count) of \(total)", ru: "\(count) из \(total)")
  }

  /// A button's label with what it is about.
  static func of(_ action: LocalizedText, _ title: String) -> LocalizedText {
    LocalizedText { "\(action.in($0)): \(title)" }
  }

  static func checklistReset(_ title: String) -> LocalizedText {
    LocalizedText(
      en: "The progress of “\(title)” was reset.", ru: "Отметки чек-листа «\(title)» сброшены.")
  }

  // MARK: The charter

  static let charterFacts = LocalizedText(en: "On board", ru: "На борту")
  static let printReport = LocalizedText(en: "Check-in Report", ru: "Отчёт о приёмке")
  static let makeActive = LocalizedText(en: "Make Active", ru: "Сделать активным")
  static let makeInactive = LocalizedText(en: "Make Inactive", ru: "Сделать неактивным")
  static let archive = LocalizedText(en: "Archive", ru: "В архив")
  static let unarchive = LocalizedText(en: "Take Out of Archive", ru: "Вернуть из архива")
  static let deleteThisCharter = LocalizedText(
    en: "Delete this charter", ru: "Удалить этот чартер")
  static let deletionExplained = LocalizedText(
    en: "The progress of its checklists is deleted with it. You can undo this right after.",
    ru: "Отметки его чек-листов удалятся вместе с ним. Сразу после этого удаление можно отменить.")
  static func deleteCharter(_ name: String) -> LocalizedText {
    LocalizedText(en: "Delete \(name)", ru: "Удалить: \(name)")
  }

  // MARK: Report

  static let loadingReport = LocalizedText(en: "Making the report…", ru: "Готовим отчёт…")
  static let printHint = LocalizedText(
    en: "Print this page by your browser; it is laid out for paper.",
    ru: "Распечатайте эту страницу браузером: она свёрстана для бумаги.")
  static let item = LocalizedText(en: "Item", ru: "Пункт")
  static let checkedAt = LocalizedText(en: "Checked", ru: "Отмечено")
  static let state = LocalizedText(en: "Done", ru: "Готово")
  static let isChecked = LocalizedText(en: "checked", ru: "отмечено")
  static let isOpen = LocalizedText(en: "open", ru: "не отмечено")
  static let signature = LocalizedText(en: "Signature", ru: "Подпись")

  static func reportMade(_ date: String) -> LocalizedText {
    LocalizedText(en: "As of \(date)", ru: "По состоянию на \(date)")
  }
}
