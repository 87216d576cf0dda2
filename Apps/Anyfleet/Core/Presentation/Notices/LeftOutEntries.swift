package import OffshorePresentation

/// What entries that cannot be read are, to who uses the app.
package enum LeftOutEntries: Hashable {
  case charters, checklists, guides, decks
  /// Checklists as a charter has them.
  case charterChecklists
  /// Ticks, and notes on items.
  case progress
  /// How well cards are known.
  case cardProgress
  case others

  /// Makes notices of what went wrong while a screen was read.
  package static func notices(of errors: [AppError]) -> [Notice] {
    Notice.all(of: errors) { table, count in LeftOutEntries(in: table).text(count) }
  }

  /// Tells by the table that a place is in.
  init(in table: String?) {
    switch table {
    case "charters": self = .charters
    case "checklists": self = .checklists
    case "practiceGuides": self = .guides
    case "flashcardDecks": self = .decks
    case "charterChecklists": self = .charterChecklists
    case "checklistExecutionStates", "checklistItemNotes": self = .progress
    case "flashcardProgress": self = .cardProgress
    default: self = .others
    }
  }

  /// That a number of them is left out, in a sentence.
  func text(_ count: Int) -> LocalizedText {
    .counted(count, en: english, ru: russian)
  }

  private var english: PluralForms.English {
    func leftOut(_ one: String, _ other: String) -> PluralForms.English {
      .init(
        one: "# \(one) cannot be read and is left out.",
        other: "# \(other) cannot be read and are left out.")
    }
    return switch self {
    case .charters: leftOut("charter", "charters")
    case .checklists: leftOut("checklist", "checklists")
    case .guides: leftOut("guide", "guides")
    case .decks: leftOut("deck", "decks")
    case .charterChecklists:
      leftOut("checklist of this charter", "checklists of this charter")
    case .progress: leftOut("record of progress", "records of progress")
    case .cardProgress:
      .init(
        one: "The progress of # card cannot be read and is left out.",
        other: "The progress of # cards cannot be read and is left out.")
    case .others: leftOut("entry", "entries")
    }
  }

  private var russian: PluralForms.Russian {
    switch self {
    case .charters:
      .init(
        one: "# чартер не читается и не показан.", few: "# чартера не читаются и не показаны.",
        many: "# чартеров не читаются и не показаны.")
    case .checklists:
      .init(
        one: "# чек-лист не читается и не показан.",
        few: "# чек-листа не читаются и не показаны.",
        many: "# чек-листов не читаются и не показаны.")
    case .guides:
      .init(
        one: "# руководство не читается и не показано.",
        few: "# руководства не читаются и не показаны.",
        many: "# руководств не читаются и не показаны.")
    case .decks:
      .init(
        one: "# колода не читается и не показана.", few: "# колоды не читаются и не показаны.",
        many: "# колод не читаются и не показаны.")
    case .charterChecklists:
      .init(
        one: "# чек-лист этого чартера не читается и не показан.",
        few: "# чек-листа этого чартера не читаются и не показаны.",
        many: "# чек-листов этого чартера не читаются и не показаны.")
    case .progress:
      .init(
        one: "# запись об отметках не читается и не показана.",
        few: "# записи об отметках не читаются и не показаны.",
        many: "# записей об отметках не читаются и не показаны.")
    case .cardProgress:
      .init(
        one: "Успехи по # карточке не читаются и не учтены.",
        few: "Успехи по # карточкам не читаются и не учтены.",
        many: "Успехи по # карточкам не читаются и не учтены.")
    case .others:
      .init(
        one: "# запись не читается и не показана.", few: "# записи не читаются и не показаны.",
        many: "# записей не читаются и не показаны.")
    }
  }
}
