import Anyfleet
import OffshorePresentation

// What the pages of the library say.

extension LibraryPart {
  /// What leads to the form of something new.
  var newTitle: LocalizedText {
    switch self {
    case .checklists: LocalizedText(en: "New Checklist", ru: "Новый чек-лист")
    case .guides: LocalizedText(en: "New Guide", ru: "Новое руководство")
    case .decks: LocalizedText(en: "New Deck", ru: "Новая колода")
    }
  }

  /// What the page of one is called while it is not there.
  var entryTitle: LocalizedText {
    switch self {
    case .checklists: .checklist
    case .guides: LocalizedText(en: "Guide", ru: "Руководство")
    case .decks: LocalizedText(en: "Deck", ru: "Колода")
    }
  }

  var loading: LocalizedText {
    switch self {
    case .checklists: LocalizedText(en: "Looking for checklists…", ru: "Ищем чек-листы…")
    case .guides: LocalizedText(en: "Looking for guides…", ru: "Ищем руководства…")
    case .decks: LocalizedText(en: "Looking for flashcards…", ru: "Ищем карточки…")
    }
  }

  var emptyTitle: LocalizedText {
    switch self {
    case .checklists: LocalizedText(en: "No Checklists", ru: "Чек-листов нет")
    case .guides: LocalizedText(en: "No Guides Yet", ru: "Руководств пока нет")
    case .decks: LocalizedText(en: "No Flashcards Yet", ru: "Карточек пока нет")
    }
  }

  var emptyText: LocalizedText {
    switch self {
    case .checklists:
      LocalizedText(
        en: "Write one of your own, and run it in each of your charters.",
        ru: "Составьте свой и проходите его в каждом чартере.")
    case .guides:
      LocalizedText(
        en: "Write down how you do it: mooring stern-to, reefing, a fouled anchor.",
        ru: "Запишите, как вы это делаете: швартовка кормой, рифление, застрявший якорь.")
    case .decks:
      LocalizedText(
        en: "Make cards of what you want to know by heart: lights, buoys, signals.",
        ru: "Сделайте карточки из того, что хотите знать наизусть: огни, буи, сигналы.")
    }
  }
}

extension LocalizedText {
  static let partsOfTheLibrary = LocalizedText(
    en: "Parts of the library", ru: "Разделы библиотеки")
  static let duplicate = LocalizedText(en: "Duplicate", ru: "Дублировать")
  static let canBeUndone = LocalizedText(
    en: "You can undo this on the next page.", ru: "Это можно отменить на следующей странице.")

  static func deleted(_ title: String?) -> LocalizedText {
    guard let title else { return LocalizedText(en: "It was deleted.", ru: "Удалено.") }
    return LocalizedText(en: "“\(title)” was deleted.", ru: "«\(title)»: удалено.")
  }

  static func delete(_ title: String) -> LocalizedText {
    LocalizedText(en: "Delete “\(title)”", ru: "Удалить «\(title)»")
  }

  /// What changes something, by its name; of something without a name, just that.
  static func edit(_ title: String) -> LocalizedText {
    guard title.contains(where: { !$0.isWhitespace }) else { return .edit }
    return LocalizedText(en: "Edit “\(title)”", ru: "Изменить «\(title)»")
  }

  static func items(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# item", other: "# items"),
      ru: .init(one: "# пункт", few: "# пункта", many: "# пунктов"))
  }

  static func cards(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# card", other: "# cards"),
      ru: .init(one: "# карточка", few: "# карточки", many: "# карточек"))
  }

  // MARK: Editors

  static let title = LocalizedText(en: "Title", ru: "Название")
  static let description = LocalizedText(en: "Description", ru: "Описание")
  static let optional = LocalizedText(en: "Optional.", ru: "Необязательно.")

  static func named(_ action: LocalizedText, _ name: String) -> LocalizedText {
    LocalizedText { "\(action.in($0)): \(name)" }
  }
}
