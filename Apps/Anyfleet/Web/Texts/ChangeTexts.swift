import Anyfleet
import OffshorePresentation

// What changes that wait, and those that were set aside, are called.

extension SyncedThing {
  /// What it is called, or what it is where it has no name.
  var name: LocalizedText { title.map { LocalizedText(verbatim: $0) } ?? kind.text }

  /// What it is, and where it belongs, unless the name says it.
  fileprivate func place(_ language: Language) -> [String] {
    [title == nil ? nil : kind.text.in(language), charterName].compactMap(\.self)
  }
}

extension SyncedThing.Kind {
  /// What it is.
  var text: LocalizedText {
    switch self {
    case .charter: .charter
    case .charterChecklist, .checklist: .checklist
    case .ticks: LocalizedText(en: "Progress", ru: "Прогресс")
    case .note: .note
    case .guide: LocalizedText(en: "Guide", ru: "Памятка")
    case .deck: LocalizedText(en: "Deck", ru: "Колода")
    case .study: LocalizedText(en: "Study progress", ru: "Ход изучения")
    case .activeCharter: LocalizedText(en: "Active charter", ru: "Текущий чартер")
    case .unknown: LocalizedText(en: "Something else", ru: "Что-то ещё")
    }
  }
}

extension UnsentChange {
  /// Whether it is something that a person has made, and that is nowhere else.
  var isNew: Bool {
    action == .added && [.charter, .checklist, .guide, .deck].contains(thing.kind)
  }

  /// What was done, to a person: a first tick makes a row, and adds nothing.
  private var doing: Action {
    isNew || thing.kind == .charterChecklist || action == .removed ? action : .changed
  }

  /// What was done to what, and when.
  func line(_ say: Speaker) -> String {
    let parts =
      thing.place(say.language)
      + [say(doing.text), companionCount > 0 ? say(.companions(companionCount)) : nil]
      .compactMap(\.self) + (date.map { [say.dayAndTime($0)] } ?? [])
    return parts.joined(separator: " · ")
  }
}

extension UnsentChange.Action {
  /// What was done.
  var text: LocalizedText {
    switch self {
    case .added: LocalizedText(en: "added", ru: "добавлено")
    case .changed: LocalizedText(en: "changed", ru: "изменено")
    case .removed: LocalizedText(en: "deleted", ru: "удалено")
    }
  }
}

extension RefusedChange {
  /// What it is of, and when it was set aside.
  func line(_ say: Speaker) -> String {
    (thing.place(say.language) + [say.dayAndTime(date)]).joined(separator: " · ")
  }
}

extension RefusedChange.Reason {
  /// Why it was set aside.
  var text: LocalizedText {
    switch self {
    case .gone:
      LocalizedText(
        en: "It was deleted on another device.", ru: "Это удалили на другом устройстве.")
    case .missingReference:
      LocalizedText(
        en: "What it belongs to was deleted on another device.",
        ru: "То, к чему это относится, удалили на другом устройстве.")
    case .forbidden:
      LocalizedText(en: "You may not change this.", ru: "Вам нельзя это менять.")
    case .tooLarge:
      LocalizedText(en: "It is too large to be sent.", ru: "Это слишком большое для отправки.")
    case .dependency:
      LocalizedText(
        en: "It builds on a change that was not accepted.",
        ru: "Это основано на изменении, которое не приняли.")
    case .collision:
      LocalizedText(
        en: "What others changed leaves no room for it.",
        ru: "То, что изменили другие, не оставляет ему места.")
    case .limitReached:
      LocalizedText(
        en: "You own as much as one account may. Delete what you do not need.",
        ru: "У вас столько, сколько разрешено одной записи. Удалите то, что не нужно.")
    case .other(let message):
      LocalizedText(
        en: "The server did not accept it: \(message)", ru: "Сервер не принял это: \(message)")
    }
  }
}
