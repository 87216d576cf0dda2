import OffshorePresentation

// What the pages say on which decks are studied.

extension LocalizedText {
  static let study = LocalizedText(en: "Study", ru: "Учить")
  static let cardsHeading = LocalizedText(en: "Cards", ru: "Карточки")
  static let showAnswer = LocalizedText(en: "Show the Answer", ru: "Показать ответ")
  static let answerAgain = LocalizedText(en: "Again", ru: "Ещё раз")
  static let answerKnown = LocalizedText(en: "I Knew It", ru: "Знаю")
  static let lookingForDueCards = LocalizedText(
    en: "Looking for cards to ask…", ru: "Ищем карточки для повторения…")
  static let nothingDue = LocalizedText(
    en: "Nothing to Study Now", ru: "Сейчас повторять нечего")
  static let noCards = LocalizedText(en: "The deck has no cards.", ru: "В колоде нет карточек.")
  static let backToDeck = LocalizedText(en: "Back to the Deck", ru: "К колоде")

  static func due(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# card is due", other: "# cards are due"),
      ru: .init(
        one: "# карточка для повторения", few: "# карточки для повторения",
        many: "# карточек для повторения"))
  }

  static func nextDue(_ date: String) -> LocalizedText {
    LocalizedText(en: "The next card is due \(date).", ru: "Следующая карточка — \(date).")
  }

  static func answered(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# card answered", other: "# cards answered"),
      ru: .init(
        one: "# карточка пройдена", few: "# карточки пройдены", many: "# карточек пройдено"))
  }
}
