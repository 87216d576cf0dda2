import Anyfleet
import OffshorePresentation

// What the pages of charters say.

extension LocalizedText {
  static let checklistGone = LocalizedText(
    en: "A checklist that you chose was deleted meanwhile.",
    ru: "Выбранный вами чек-лист тем временем удалили.")
  static let createWithout = LocalizedText(
    en: "Nothing you entered is lost: send the form again to create the charter without it.",
    ru: "Введённое вами не потеряно: отправьте форму ещё раз, и чартер появится без него.")
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

  static let editCharter = LocalizedText(en: "Edit Charter", ru: "Изменить чартер")
  static let createCharter = LocalizedText(en: "Create Charter", ru: "Создать чартер")
  static let loadingCharter = LocalizedText(
    en: "Opening the charter…", ru: "Открываем чартер…")
  static let charterName = LocalizedText(en: "Name", ru: "Название")
  static let nameHint = LocalizedText(
    en: "What you call it, such as Kornati week.",
    ru: "Как вы его называете, например «Неделя в Корнатах».")
  static let vesselHint = LocalizedText(
    en: "Her name or type. Optional.", ru: "Название или тип. Необязательно.")
  static let destinationHint = LocalizedText(
    en: "The marina or the place you sail to. Optional.",
    ru: "Марина или место, куда вы идёте. Необязательно.")
  static let regionHint = LocalizedText(
    en: "The sailing area. Optional.", ru: "Район плавания. Необязательно.")
  static let guestField = LocalizedText(en: "Guests", ru: "Гости")
  static let guestHint = LocalizedText(
    en: "From \(CharterModel.guestLimits.lowerBound) to \(CharterModel.guestLimits.upperBound).",
    ru: "От \(CharterModel.guestLimits.lowerBound) до \(CharterModel.guestLimits.upperBound).")
  static let crewHint = LocalizedText(
    en: "An empty name takes somebody off the list.",
    ru: "Пустое имя убирает человека из списка.")
  static func crewName(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Name \(number)", ru: "Имя \(number)")
  }
  static func crewRole(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Role \(number)", ru: "Роль \(number)")
  }
  static let budget = LocalizedText(en: "Budget", ru: "Бюджет")
  static let budgetHint = LocalizedText(
    en: "Such as 1200 or 1,200.50. Optional.",
    ru: "Например 1200 или 1\u{a0}200,50. Необязательно.")
  static let currencyHint = LocalizedText(
    en: "Three letters, such as EUR.", ru: "Три буквы, например EUR.")
  static let chooseChecklists = LocalizedText(
    en: "Checklists to take along", ru: "Какие чек-листы взять с собой")
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

  static func createdBefore(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "This form has created “\(name)” before.", ru: "Эта форма уже создала «\(name)».")
  }
  static let sendAgain = LocalizedText(
    en: "Send it again to create one more charter.",
    ru: "Отправьте её ещё раз, чтобы создать ещё один чартер.")
  static func showCharter(_ name: String) -> LocalizedText {
    LocalizedText(en: "Show “\(name)”", ru: "Показать «\(name)»")
  }
}
