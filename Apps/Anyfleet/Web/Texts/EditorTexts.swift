import OffshorePresentation

// What the forms of the library say.

extension LocalizedText {
  static let changesThisCharterAlone = LocalizedText(
    en: "Only this charter’s checklist changes. The one in the library stays as it is.",
    ru: "Меняется только чек-лист этого чартера. В библиотеке он останется прежним.")
  static let sectionTitle = LocalizedText(en: "Section title", ru: "Название раздела")
  static let isExpanded = LocalizedText(
    en: "Shows its items when the checklist is opened", ru: "Пункты видны сразу при открытии")
  static let addSection = LocalizedText(en: "Add Section", ru: "Добавить раздел")
  static let removeSection = LocalizedText(en: "Remove Section", ru: "Убрать раздел")
  static let itemsGoToo = LocalizedText(
    en: "Its items are removed with it.", ru: "Пункты раздела будут убраны вместе с ним.")
  static let addItem = LocalizedText(en: "Add Item", ru: "Добавить пункт")
  static let whatToCheck = LocalizedText(en: "What to check", ru: "Что проверить")
  static let isCritical = LocalizedText(
    en: "Critical: safety depends on it", ru: "Важно: от этого зависит безопасность")

  static func section(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Section \(number)", ru: "Раздел \(number)")
  }

  static func remove(_ title: String) -> LocalizedText {
    LocalizedText(en: "Remove “\(title)”", ru: "Убрать «\(title)»")
  }

  static func item(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Item \(number)", ru: "Пункт \(number)")
  }

  // MARK: Guides

  static let guideText = LocalizedText(en: "Text", ru: "Текст")
  static let markdownHint = LocalizedText(
    en: "# Heading, - list, 1. numbered list, **bold**, *italic*, `code`, [link](https://…).",
    ru: "# Заголовок, - список, 1. нумерованный список, **жирный**, *курсив*, `код`, "
      + "[ссылка](https://…).")
  static let tags = LocalizedText(en: "Tags", ru: "Метки")
  static let tagsHint = LocalizedText(
    en: "With commas between them. Optional.", ru: "Через запятую. Необязательно.")

  // MARK: Decks

  static let front = LocalizedText(en: "Question", ru: "Вопрос")
  static let back = LocalizedText(en: "Answer", ru: "Ответ")
  static let addCard = LocalizedText(en: "Add Card", ru: "Добавить карточку")

  static func card(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Card \(number)", ru: "Карточка \(number)")
  }
}
