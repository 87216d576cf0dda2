package import OffshorePresentation

extension FieldNames {
  /// The labels of a charter's fields.
  package static let charter = FieldNames.common.adding([
    "startDate": LocalizedText(en: "First day", ru: "Первый день"),
    "endDate": LocalizedText(en: "Last day", ru: "Последний день"),
    "vessel": LocalizedText(en: "Boat", ru: "Лодка"),
    "destination": LocalizedText(en: "Destination", ru: "Место назначения"),
    "currency": LocalizedText(en: "Currency", ru: "Валюта"),
    "crew": LocalizedText(en: "Crew name", ru: "Имя члена команды"),
  ])
}

extension CrewRole {
  /// The name of the role.
  package var title: LocalizedText {
    switch self {
    case .skipper: LocalizedText(en: "Skipper", ru: "Шкипер")
    case .coSkipper: LocalizedText(en: "Co-skipper", ru: "Второй шкипер")
    case .crew: LocalizedText(en: "Crew", ru: "Матрос")
    case .guest: LocalizedText(en: "Guest", ru: "Гость")
    }
  }
}

extension CharterPhase {
  /// The name of the phase.
  package var title: LocalizedText {
    switch self {
    case .upcoming: LocalizedText(en: "Upcoming", ru: "Предстоит")
    case .inProgress: LocalizedText(en: "In progress", ru: "Идёт")
    case .past: LocalizedText(en: "Past", ru: "Завершён")
    }
  }
}

extension CharterListFilter {
  /// The name of the filter.
  package var title: LocalizedText {
    switch self {
    case .all: LocalizedText(en: "All", ru: "Все")
    case .past: LocalizedText(en: "Past", ru: "Прошлые")
    case .upcoming: LocalizedText(en: "Upcoming", ru: "Предстоящие")
    case .inProgress: LocalizedText(en: "In progress", ru: "Текущие")
    case .archived: LocalizedText(en: "Archived", ru: "В архиве")
    }
  }
}

extension ChecklistItemIssue {
  /// The name of the condition.
  package var title: LocalizedText {
    switch self {
    case .ok: LocalizedText(en: "OK", ru: "В порядке")
    case .issue: LocalizedText(en: "Problem", ru: "Неисправность")
    case .missing: LocalizedText(en: "Missing", ru: "Отсутствует")
    case .damaged: LocalizedText(en: "Damaged", ru: "Повреждено")
    case .notApplicable: LocalizedText(en: "Not applicable", ru: "Не относится")
    }
  }
}

// MARK: - Words

extension LocalizedText {
  package static let checklist = LocalizedText(en: "Checklist", ru: "Чек-лист")
  package static let checkIn = LocalizedText(en: "Check-in", ru: "Приёмка")
  package static let crew = LocalizedText(en: "Crew", ru: "Команда")
  package static let dates = LocalizedText(en: "Dates", ru: "Даты")
}
