import Anyfleet
import OffshorePresentation
import OffshoreSync

// What changes that wait, and those that were set aside, are called.

extension RowName {
  /// The title, or the kind of thing if it has none.
  var name: LocalizedText { title.map { LocalizedText(verbatim: $0) } ?? kind }

  /// The kind of thing and the place where it belongs, unless the name says it.
  fileprivate func place(_ language: Language) -> [String] {
    [title == nil ? nil : kind.in(language), whole].compactMap(\.self)
  }

  /// The kind of thing.
  private var kind: LocalizedText {
    switch table {
    case "charters": .charter
    case "charterChecklists", "checklists": .checklist
    case "checklistExecutionStates": LocalizedText(en: "Progress", ru: "Прогресс")
    case "checklistItemNotes": .note
    case "practiceGuides": LocalizedText(en: "Guide", ru: "Памятка")
    case "flashcardDecks": LocalizedText(en: "Deck", ru: "Колода")
    case "flashcardProgress": LocalizedText(en: "Study progress", ru: "Ход изучения")
    case "activeCharters": LocalizedText(en: "Active charter", ru: "Текущий чартер")
    default: LocalizedText(en: "Something else", ru: "Что-то ещё")
    }
  }
}

extension PendingChange {
  /// Whether the user has made the row, and it is nowhere else.
  var isNew: Bool {
    action == .added
      && ["charters", "checklists", "practiceGuides", "flashcardDecks"].contains(row.table)
  }

  /// What was done, to a user: the first tick inserts a row, and adds nothing.
  private var doing: Action {
    isNew || row.table == "charterChecklists" || action == .removed ? action : .changed
  }

  /// What was done to what, and when.
  func line(_ say: Speaker) -> String {
    let parts =
      row.place(say.language)
      + [say(doing.text), partCount > 0 ? say(.companions(partCount)) : nil]
      .compactMap(\.self) + (date.map { [say.dayAndTime($0)] } ?? [])
    return parts.joined(separator: " · ")
  }
}

extension PendingChange.Action {
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
    (row.place(say.language) + [say.dayAndTime(date)]).joined(separator: " · ")
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
