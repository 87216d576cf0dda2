import OffshorePresentation

// The texts that several pages share.

extension LocalizedText {
  static let appName = LocalizedText(verbatim: "Anyfleet")

  static let home = LocalizedText(en: "Home", ru: "Главная")
  static let charters = LocalizedText(en: "Charters", ru: "Чартеры")
  static let library = LocalizedText(en: "Library", ru: "Библиотека")
  static let profile = LocalizedText(en: "Profile", ru: "Профиль")

  static let charter = LocalizedText(en: "Charter", ru: "Чартер")
  static let checklists = LocalizedText(en: "Checklists", ru: "Чек-листы")

  static let save = LocalizedText(en: "Save", ru: "Сохранить")
  static let remove = LocalizedText(en: "Remove", ru: "Убрать")
  static let note = LocalizedText(en: "Note", ru: "Заметка")
  static let reset = LocalizedText(en: "Reset", ru: "Сбросить")

  static let critical = LocalizedText(en: "Critical", ru: "Важно")

  /// Returns the number of checked items out of a total.
  static func done(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(en: "\(count) of \(total) done", ru: "Готово \(count) из \(total)")
  }

  /// Returns the number of critical items that are not checked.
  static func criticalOpen(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# critical open", other: "# critical open"),
      ru: .init(
        one: "не отмечено важных: #", few: "не отмечено важных: #", many: "не отмечено важных: #"))
  }
}
