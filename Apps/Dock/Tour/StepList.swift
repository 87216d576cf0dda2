import OffshorePresentation
import OffshoreWeb

/// The list of the steps. Completed ones have a check mark, and the next one is highlighted.
struct StepList {
  let tour: DockTour
  let language: Language

  var html: HTML {
    ol(.id("steps"), .class("steps")) {
      for step in DockTour.Step.allCases { item(step) }
      if tour.current == nil {
        li(.id("step-end"), .class("end")) { words(.endTitle, .endHint) }
      }
    }
  }

  private func item(_ step: DockTour.Step) -> HTML {
    let isDone = tour.completedSteps.contains(step)
    return li(
      .id("step-\(step)"), .class("done", if: isDone),
      step == tour.current ? .ariaCurrent(.step) : .none
    ) {
      span(.class("number"), .ariaHidden()) { isDone ? "✓" : "\(step.rawValue + 1)" }
      if isDone { span(.class("said")) { text(.done) } }
      words(step.title, step.hint)
    }
  }

  private func words(_ title: LocalizedText, _ hint: LocalizedText) -> HTML {
    span(.class("words")) {
      strong { text(title) }
      " "
      small { text(hint) }
    }
  }

  private func text(_ text: LocalizedText) -> String { text.in(language) }
}

extension DockTour.Step {
  fileprivate var title: LocalizedText {
    switch self {
    case .tick: LocalizedText(en: "Tick an item.", ru: "Отметьте пункт.")
    case .airplane:
      LocalizedText(en: "Switch both to airplane mode.", ru: "Включите на обоих режим полёта.")
    case .sameNote:
      LocalizedText(
        en: "Write a note on the same item of both.",
        ru: "Напишите заметки к одному и тому же пункту.")
    case .bothVersions:
      LocalizedText(en: "Switch airplane mode off.", ru: "Выключите режим полёта.")
    case .join: LocalizedText(en: "Invite the crew.", ru: "Пригласите экипаж.")
    case .kill: LocalizedText(en: "Kill a phone.", ru: "Завершите один из телефонов.")
    }
  }

  fileprivate var hint: LocalizedText {
    switch self {
    case .tick:
      LocalizedText(
        en: "It is on the other phone at once.", ru: "На другом телефоне это видно сразу.")
    case .airplane:
      LocalizedText(
        en: "Each works on with its own database.", ru: "Каждый работает дальше со своей базой.")
    case .sameNote:
      LocalizedText(
        en: "It is behind the icon at the end of a row. Let the texts differ.",
        ru: "Заметка — за значком в конце строки. Пусть тексты различаются.")
    case .bothVersions:
      LocalizedText(
        en: "Both phones have both versions, and nothing is lost.",
        ru: "На обоих телефонах есть обе версии, и ничего не потеряно.")
    case .join:
      LocalizedText(
        en: "Make a charter on phone 1 and a code for its crew. On phone 2, join by the code.",
        ru: "На телефоне 1 создайте чартер и код для экипажа. На телефоне 2 войдите по коду.")
    case .kill:
      LocalizedText(
        en: "Its process ends by kill -9, and it comes back with everything.",
        ru: "Процесс завершает kill -9, и телефон возвращается со всеми данными.")
    }
  }
}

extension LocalizedText {
  fileprivate static let done = LocalizedText(en: "Done: ", ru: "Готово: ")
  fileprivate static let endTitle = LocalizedText(en: "That is all.", ru: "Это всё.")
  fileprivate static let endHint = LocalizedText(
    en: "What was saved on a phone is still there. “Apps” above a phone leads to its messages.",
    ru: "Всё, что сохранил телефон, на месте. «Приложения» над телефоном ведут к сообщениям.")
}
