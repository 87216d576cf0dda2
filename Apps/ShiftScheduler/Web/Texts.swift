import Foundation
import OffshoreFiles
import OffshorePages
import OffshorePresentation
import ShiftScheduler

extension Localizer {
  /// Returns a text that is used in one place, in the language.
  func callAsFunction(en english: LocalizedText.Phrase, ru russian: LocalizedText.Phrase) -> String
  {
    self(LocalizedText(en: english, ru: russian))
  }
}

extension LocalizedText {
  static let appName = LocalizedText(en: "Shift Scheduler", ru: "Смены")
  static let calendar = LocalizedText(en: "Calendar", ru: "Календарь")
  static let allDay = LocalizedText(en: "All day", ru: "Весь день")
  static let repeatPattern = LocalizedText(en: "Repeat a pattern", ru: "Повторить график")
  static let search = LocalizedText(en: "Search shifts", ru: "Поиск смен")
  static let newShift = LocalizedText(en: "Add a shift", ru: "Добавить смену")
  static let shift = LocalizedText(en: "Shift", ru: "Смена")
  static let copyShift = LocalizedText(en: "Copy to other days", ru: "Копировать на другие дни")
  static let shiftType = LocalizedText(en: "Shift type", ru: "Вид смены")
  static let status = LocalizedText(en: "Status", ru: "Состояние")
  static let keepOverlaps = LocalizedText(
    en: "Keep shifts that overlap", ru: "Оставить смены, которые пересекаются")
  static let kinds = LocalizedText(en: "Types", ru: "Виды")
  static let shiftTypes = LocalizedText(en: "Shift types", ru: "Виды смен")
  static let location = LocalizedText(en: "Location", ru: "Место")
  static let locations = LocalizedText(en: "Locations", ru: "Места")
  static let newType = LocalizedText(en: "New shift type", ru: "Новый вид смены")
  static let newLocation = LocalizedText(en: "New location", ru: "Новое место")
  static let noTypes = LocalizedText(en: "No shift types yet", ru: "Видов смен пока нет")
  static let typesExplained = LocalizedText(
    en: "Add the kinds of shift that you work.", ru: "Добавьте виды смен, в которые вы работаете.")
  static let oneSymbol = LocalizedText(en: "One emoji or letter.", ru: "Один эмодзи или буква.")
  static let totals = LocalizedText(en: "Totals", ru: "Итоги")
  static let shiftCount = LocalizedText(en: "Shifts", ru: "Смен")
  static let hours = LocalizedText(en: "Hours", ru: "Часы")
  static let overtimeTitle = LocalizedText(en: "Overtime", ru: "Переработка")
  static let teams = LocalizedText(en: "Teams", ru: "Команды")
  static let team = LocalizedText(en: "Team", ru: "Команда")
  static let newTeam = LocalizedText(en: "New team", ru: "Новая команда")
  static let publish = LocalizedText(en: "Publish shifts", ru: "Опубликовать смены")
  static let publishAgain = LocalizedText(en: "Publish again", ru: "Опубликовать снова")
  static let unpublish = LocalizedText(en: "Withdraw", ru: "Снять с публикации")
  static let assign = LocalizedText(en: "Change who works", ru: "Сменить работника")
  static let offer = LocalizedText(en: "Offer", ru: "Предложить")
  static let refuse = LocalizedText(en: "Refuse", ru: "Отклонить")
  static let swap = LocalizedText(en: "Swap", ru: "Обмен")
  static let changes = LocalizedText(en: "Changes", ru: "Изменения")
  static let data = LocalizedText(en: "Backup and import", ru: "Копия и импорт")
  static let engines = LocalizedText(en: "Storage", ru: "Хранение")
  static let manyRecords = LocalizedText(
    en: "You have so many shifts that the database is faster.",
    ru: "Смен так много, что база данных быстрее.")

  static func shifts(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# shift", other: "# shifts"),
      ru: .init(one: "# смена", few: "# смены", many: "# смен"))
  }

  static func wholeDays(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# whole day", other: "# whole days"),
      ru: .init(one: "# полный день", few: "# полных дня", many: "# полных дней"))
  }

  static func overtime(minutes: Int) -> LocalizedText {
    LocalizedText(en: "+\(minutes) min", ru: "+\(minutes) мин")
  }

  static func approve(_ name: String) -> LocalizedText {
    LocalizedText(en: "Approve: \(name)", ru: "Одобрить: \(name)")
  }

  static func use(_ engine: StorageEngine) -> LocalizedText {
    LocalizedText(en: "Use: \(engine.title)", ru: "Использовать: \(engine.title)")
  }

  static func moveTo(_ name: LocalizedText) -> LocalizedText {
    LocalizedText(en: "Change them to “\(name)”", ru: "Заменить на «\(name)»")
  }

  static func shiftsOfType(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# shift is of this type. What happens to it?",
        other: "# shifts are of this type. What happens to them?"),
      ru: .init(
        one: "# смена этого вида. Что с ней делать?", few: "# смены этого вида. Что с ними делать?",
        many: "# смен этого вида. Что с ними делать?"))
  }

  static func typesAtLocation(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "# shift type has this location. What happens to it?",
        other: "# shift types have this location. What happens to them?"),
      ru: .init(
        one: "# вид смен в этом месте. Что с ним делать?",
        few: "# вида смен в этом месте. Что с ними делать?",
        many: "# видов смен в этом месте. Что с ними делать?"))
  }

  static func imported(_ report: SwiftDataMigration.Report) -> LocalizedText {
    let (types, locations) = (report.shiftTypes, report.locations)
    return LocalizedText(
      en: "Shift types added: \(types). Locations added: \(locations).",
      ru: "Добавлено видов смен: \(types). Добавлено мест: \(locations).")
  }

  static func skipped(_ row: SwiftDataMigration.Report.Skipped) -> LocalizedText {
    let text = "\(row.table) \(row.key), \(row.reason.rawValue)"
    return LocalizedText(en: "Left out: \(text)", ru: "Пропущено: \(text)")
  }
}

// MARK: - Names of values

extension ShiftType {
  /// The symbol and the title.
  var name: LocalizedText { LocalizedText(verbatim: "\(symbol) \(title)") }
}

extension Location {
  var title: LocalizedText { LocalizedText(verbatim: name) }
}

extension ScheduledShift.Status {
  var title: LocalizedText {
    switch self {
    case .planned: LocalizedText(en: "Planned", ru: "Запланирована")
    case .done: LocalizedText(en: "Done", ru: "Отработана")
    case .cancelled: LocalizedText(en: "Cancelled", ru: "Отменена")
    }
  }
}

extension SwapAnswer.Kind {
  var title: LocalizedText {
    switch self {
    case .accepted: LocalizedText(en: "Accept", ru: "Согласиться")
    case .declined: LocalizedText(en: "Decline", ru: "Отказаться")
    case .withdrawn: LocalizedText(en: "Take back", ru: "Отозвать")
    }
  }
}

extension Swap.State {
  /// Returns the state with the names of members.
  func text(_ name: (UUID) -> String) -> LocalizedText {
    switch self {
    case .offered: return LocalizedText(en: "Not answered", ru: "Нет ответа")
    case .accepted(let takers):
      let names = takers.map(name).joined(separator: ", ")
      return LocalizedText(en: "Accepted: \(names)", ru: "Согласие: \(names)")
    case .approved(let taker):
      let worker = name(taker)
      return LocalizedText(en: "Approved: \(worker)", ru: "Одобрено: \(worker)")
    case .withdrawn: return LocalizedText(en: "Taken back", ru: "Отозвано")
    case .declined: return LocalizedText(en: "Declined", ru: "Отклонено")
    }
  }
}

extension AppFacts {
  /// The facts about the app.
  static let shiftScheduler = AppFacts(
    purpose: LocalizedText(
      en: "Shift Scheduler is for people who work shifts: define them, plan them, know the hours.",
      ru: "«Смены» — для тех, кто работает посменно: задать виды, расставить, знать часы."),
    licence: LocalizedText(
      en: "Shift Scheduler is free software under the MIT licence.",
      ru: "«Смены» — свободная программа под лицензией MIT."),
    kinds: [
      "locations": .location, "shiftTypes": .shiftType, "shifts": .shift, "changes": .changes,
      "teams": .team, "publishedShifts": .shift, "swapOffers": .swap, "swapAnswers": .swap,
      "swapDecisions": .swap,
    ], serverCommand: "offshore-apps --server URL")
}
