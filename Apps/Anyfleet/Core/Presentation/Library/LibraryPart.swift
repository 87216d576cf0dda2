public import OffshorePresentation

/// A part of the library.
public enum LibraryPart: String, CaseIterable, Sendable {
  case checklists
  case guides
  case decks

  /// What the part is called.
  public var title: LocalizedText {
    switch self {
    case .checklists: LocalizedText(en: "Checklists", ru: "Чек-листы")
    case .guides: LocalizedText(en: "Guides", ru: "Руководства")
    case .decks: LocalizedText(en: "Flashcards", ru: "Карточки")
    }
  }
}
