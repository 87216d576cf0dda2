import Anyfleet
import OffshorePresentation

// What the pages of charters say.

extension LocalizedText {
  static let newCharter = LocalizedText(en: "New Charter", ru: "Новый чартер")
  static let activeCharter = LocalizedText(en: "Active", ru: "Активный")
  static let archivedCharter = LocalizedText(en: "Archived", ru: "В архиве")

  static func guests(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# guest", other: "# guests"),
      ru: .init(one: "# гость", few: "# гостя", many: "# гостей"))
  }

  // MARK: List

  static let lookingForCharters = LocalizedText(
    en: "Looking for charters…", ru: "Ищем чартеры…")
  static let noCharters = LocalizedText(en: "No Charters Yet", ru: "Чартеров пока нет")
  static let planFirstCharter = LocalizedText(
    en: "Plan your first one. Its checklists and their progress stay on this device.",
    ru: "Запланируйте первый. Его чек-листы и отметки остаются на этом устройстве.")
  static let nothingFound = LocalizedText(en: "Nothing Found", ru: "Ничего не найдено")
  static let tryOtherWords = LocalizedText(
    en: "No charter here has these words in its name, boat, destination or region.",
    ru: "Ни у одного чартера здесь нет этих слов в названии, лодке, месте или регионе.")
  static let noneHere = LocalizedText(en: "None Here", ru: "Здесь пусто")
  static let noCharterOfFilter = LocalizedText(
    en: "No charter belongs to this list at the moment.",
    ru: "Сейчас к этому списку не относится ни один чартер.")
  static let showAll = LocalizedText(en: "Show All", ru: "Показать все")
  static let showMore = LocalizedText(en: "Show More", ru: "Показать ещё")
  static let search = LocalizedText(en: "Search", ru: "Поиск")
  static let find = LocalizedText(en: "Find", ru: "Найти")
  static let whichCharters = LocalizedText(en: "Which charters", ru: "Какие чартеры")

  static func charterDeleted(_ name: String?) -> LocalizedText {
    guard let name else {
      return LocalizedText(en: "The charter was deleted.", ru: "Чартер удалён.")
    }
    return LocalizedText(en: "“\(name)” was deleted.", ru: "«\(name)»: чартер удалён.")
  }

  // MARK: Form

  static let budget = LocalizedText(en: "Budget", ru: "Бюджет")
  static let completion = LocalizedText(en: "How complete it is", ru: "Насколько заполнено")

  static func completed(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(
      en: "\(count) of \(total) steps are filled in.", ru: "Заполнено шагов: \(count) из \(total).")
  }
  static func stillMissing(_ fields: [CharterFormState.Step]) -> LocalizedText {
    LocalizedText { language in
      let names = fields.map { $0.title.in(language).lowercased() }.joined(separator: ", ")
      return LocalizedText(en: "Still missing: \(names).", ru: "Ещё нет: \(names).").in(language)
    }
  }
  static func showCharter(_ name: String) -> LocalizedText {
    LocalizedText(en: "Show “\(name)”", ru: "Показать «\(name)»")
  }
}
