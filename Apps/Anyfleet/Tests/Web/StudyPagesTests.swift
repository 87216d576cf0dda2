import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// Studying decks, without the script unless stated.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct StudyPagesTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }

  init() async throws { pages = try await Pages() }

  private func storedDeck(cards: Int = 2) async throws -> FlashcardDeck {
    let deck = FlashcardDeck.sample(cards: cards)
    try await repository.saveDeck(deck)
    return deck
  }

  @Test func `A deck shows how many cards are due, and links to them`() async throws {
    let deck = try await storedDeck()
    let path = LibraryRoute.entry(EntityKind(FlashcardDeck.self), deck.id).address
    let page = await pages.get(path).text
    #expect(page.contains("2 cards are due") && page.contains(#"href="\#(path)/study""#))
    for card in deck.cards {
      try await repository.recordAnswer(.known, cardID: card.id, deckID: deck.id)
    }
    let done = await pages.get(path).text
    #expect(!done.contains("cards are due") && done.contains("The next card is due "))
    #expect(!done.contains(#"href="\#(path)/study""#))
  }

  /// Presses a button on the page of a card.
  private func press(
    _ action: String, _ card: Flashcard, of deck: FlashcardDeck, answered: Int = 0,
    tab: String? = nil
  ) async -> Response {
    await pages.post(
      StudyRoute.study(deck.id).address
        + (action == "reveal" ? "" : "?answered=\(answered + 1)"),
      ["card": card.id.uuidString, "action": action, "answered": "\(answered)"], tab: tab)
  }

  @Test func `The front is shown, then the back, and an answer leads to the next card`()
    async throws
  {
    let deck = try await storedDeck()
    let path = StudyRoute.study(deck.id).address
    let front = await pages.get(path).text
    #expect(front.contains("0?") && !front.contains("0!") && !front.contains("I knew it"))
    #expect(front.contains(#"name="action" value="reveal""#))
    let back = await press("reveal", deck.cards[0], of: deck)
    #expect(back.status == .ok)
    for text in ["0?", "0!", "I knew it"] { #expect(back.text.contains(text)) }
    for _ in 0..<2 {
      let answered = await press("known", deck.cards[0], of: deck)
      #expect(answered.headers["Location"] == path + "?answered=1")
    }
    let next = await pages.get(path + "?answered=1").text
    #expect(next.contains("1?") && !next.contains("1!"))
    _ = await press("again", deck.cards[1], of: deck)
    let done = await pages.get(path).text
    #expect(done.contains("Nothing to study now") && done.contains("The next card is due "))
    let counts = try await pages.dependencies.database.database.read {
      try SQL("SELECT knownCount FROM flashcardProgress ORDER BY knownCount")
        .all($0, as: Int.self)
    }
    #expect(counts == [0, 1])
  }

  @Test func `A card that is answered in two open pages counts once`() async throws {
    let deck = try await storedDeck()
    let address = StudyRoute.study(deck.id).address
    let tabs = [
      try pages.tabID(await pages.get(address).text),
      try pages.tabID(await pages.get(address).text),
    ]
    for tab in tabs { _ = await press("reveal", deck.cards[0], of: deck, tab: tab) }
    async let first = press("known", deck.cards[0], of: deck, tab: tabs[0])
    async let second = press("known", deck.cards[0], of: deck, tab: tabs[1])
    #expect(await [first.status, second.status] == [.noContent, .noContent])
    let counts = try await pages.dependencies.database.database.read {
      try SQL("SELECT knownCount FROM flashcardProgress").all($0, as: Int.self)
    }
    #expect(counts == [1])
  }

  private func count(_ page: String) -> String? {
    page.firstMatch(of: /id="study-count"[^>]*>([^<]*)</).map { String($0.1) }
  }

  @Test(arguments: [
    (Language.english, ["2 cards are due, 1 card answered", "1 card is due, 2 cards answered"]),
    (
      .russian,
      [
        "2 карточки для повторения, 1 карточка пройдена",
        "1 карточка для повторения, 2 карточки пройдены",
      ]
    ),
  ])
  func `Without the script the answers are counted from card to card`(
    language: Language, counts: [String]
  ) async throws {
    pages.dependencies.language.use(language)
    let deck = try await storedDeck(cards: 3)
    for (number, expected) in counts.enumerated() {
      let card = deck.cards[number]
      let back = await press("reveal", card, of: deck, answered: number)
      #expect(back.text.contains(#"name="answered" value="\#(number)""#))
      let answered = await press("known", card, of: deck, answered: number)
      let next = await pages.get(try #require(answered.headers["Location"])).text
      #expect(count(next) == expected)
    }
    _ = await press("known", deck.cards[2], of: deck, answered: 2)
    let done = await pages.get(StudyRoute.study(deck.id).address + "?answered=3").text
    #expect(count(done) == (language == .english ? "3 cards answered" : "3 карточки пройдены"))
    #expect(count(await pages.get(StudyRoute.study(deck.id).address).text) == "")
  }

  @Test func `In an open page the back and the next card are shown in place`() async throws {
    let deck = try await storedDeck()
    let tab = try pages.tabID(await pages.get(StudyRoute.study(deck.id).address).text)
    for action in ["reveal", "known"] {
      let response = await press(action, deck.cards[0], of: deck, tab: tab)
      #expect(response.status == .noContent && response.headers["Offshore-Location"] == nil)
      #expect(Int(response.headers["Offshore-Revision"] ?? "") ?? 0 > 0)
    }
  }

  @Test func `An answer that cannot be stored is reported, with the card to answer again`()
    async throws
  {
    let deck = try await storedDeck()
    try await pages.dependencies.database.database.write {
      _ = try SQL(
        "CREATE TRIGGER refuse BEFORE INSERT ON flashcardProgress BEGIN SELECT raise(ABORT, 'x'); END"
      ).run($0)
    }
    let answer: Fields = ["card": deck.cards[0].id.uuidString, "action": "known"]
    let response = await pages.post(StudyRoute.study(deck.id).address, answer)
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Your change could not be saved."))
    #expect(response.text.contains("0!"))
  }

  @Test func `An invalid answer is refused`() async throws {
    let deck = try await storedDeck()
    let path = StudyRoute.study(deck.id).address
    let card = deck.cards[0].id.uuidString
    #expect(await pages.post(path, ["card": card, "action": "perhaps"]).status == .badRequest)
    #expect(await pages.post(path, ["card": "x", "action": "known"]).status == .badRequest)
    #expect(await pages.post(path, ["action": "known"]).status == .badRequest)
  }

  @Test func `The pages for studying are in the language in use`() async throws {
    pages.dependencies.language.use(.russian)
    let deck = try await storedDeck()
    let page = await pages.get(StudyRoute.study(deck.id).address).text
    #expect(page.contains("2 карточки для повторения") && page.contains("Показать ответ"))
    let back = await press("reveal", deck.cards[0], of: deck).text
    #expect(back.contains("Ещё раз") && back.contains("Знаю"))
  }
}
