import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import Testing

@testable import Anyfleet
@testable import AnyfleetWeb

/// Writing and studying decks, without the script unless stated.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DeckPagesTests {
  private let pages: Pages
  private var repository: any LibraryRepository { pages.dependencies.libraryRepository }
  private let new = "/library/decks/new"

  init() async throws { pages = try await Pages() }

  private func stored(cards: Int = 2) async throws -> FlashcardDeck {
    let deck = FlashcardDeck.sample(cards: cards)
    try await repository.saveDeck(deck)
    return deck
  }

  private func values(_ name: String, _ page: String) throws -> [String] {
    page.matches(of: /name="([^"]+)" value="([^"]*)"/).filter { $0.1 == name }
      .map { String($0.2) }
  }

  // MARK: - Writing

  @Test func `A deck is written by pressing buttons alone`() async throws {
    let first = await pages.get(new).text
    let draft = try #require(try values("draft", first).first)
    let card = try #require(try values("card", first).first)
    var sent: Fields = [
      "draft": draft, "version": "", "title": "Lights", "card": card, "front": "Red <b>?",
      "back": "Port\r\nside", "action": "add-card",
    ]
    let second = await pages.post(new, sent)
    #expect(second.status == .ok)
    let cards = try values("card", second.text)
    #expect(cards.count == 2 && cards[0] == card)
    #expect(second.text.contains("Red &lt;b&gt;?"))
    let removed = await pages.post(
      new,
      [
        "draft": draft, "version": "", "title": "Lights", "card": card, "front": "Red?",
        "back": "Port", "card": cards[1], "front": "", "back": "",
        "action": "remove-card-\(cards[1])",
      ])
    #expect(try values("card", removed.text) == [card])
    sent.set("action", "save")
    let saved = await pages.post(new, sent)
    #expect(saved.status == .seeOther)
    let id = try #require(UUID(uuidString: draft))
    #expect(saved.headers["Location"] == Address.entry(id, in: .decks))
    let deck = try #require(try await repository.fetchDeck(id))
    #expect(deck.cards.map(\.back) == ["Port\nside"])
    #expect(deck.cards.map(\.id.uuidString) == [card])
  }

  @Test func `An edit keeps the cards' ids, and what is wrong stands beside its field`()
    async throws
  {
    let deck = try await stored()
    let path = Address.editEntry(deck.id, in: .decks)
    let page = await pages.get(path).text
    #expect(try values("card", page) == deck.cards.map(\.id.uuidString))
    var sent = try pages.sent(by: page)
    for index in sent.items.indices where sent.items[index].name == "back" {
      sent.items[index].value = " "
    }
    let wrong = await pages.post(path, sent)
    #expect(wrong.status == .unprocessableContent)
    #expect(wrong.text.matches(of: /id="back-[^"]+-error"/).count == 2)
    for index in sent.items.indices where sent.items[index].name == "back" {
      sent.items[index].value = "Answer"
    }
    #expect(await pages.post(path, sent).status == .seeOther)
    let stored = try #require(try await repository.fetchDeck(deck.id))
    #expect(stored.cards.map(\.id) == deck.cards.map(\.id))
    #expect(stored.cards.map(\.back) == ["Answer", "Answer"])
  }

  @Test func `A form that no page has is refused`() async throws {
    let id = UUID().uuidString
    let bad: [Fields] = [
      ["draft": id, "action": "explode"], ["draft": id], ["action": "save"],
      ["draft": id, "version": "", "action": "save", "front": "before any card"],
      ["draft": id, "version": "", "action": "save", "card": "nonsense"],
      ["draft": id, "version": "", "action": "save", "card": id, "card": id],
    ]
    for fields in bad { #expect(await pages.post(new, fields).status == .badRequest) }
    #expect(try await repository.fetchUserDecks().isEmpty)
  }

  // MARK: - Studying

  @Test func `A deck says how many cards are due, and leads to them`() async throws {
    let deck = try await stored()
    let path = Address.entry(deck.id, in: .decks)
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
      Address.study(deck.id),
      ["card": card.id.uuidString, "action": action, "answered": "\(answered)"], tab: tab)
  }

  @Test func `The front is shown, then the back, and an answer leads to the next card`()
    async throws
  {
    let deck = try await stored()
    let path = Address.study(deck.id)
    let front = await pages.get(path).text
    #expect(front.contains("0?") && !front.contains("0!") && !front.contains("I Knew It"))
    #expect(front.contains(#"name="action" value="reveal""#))
    let back = await press("reveal", deck.cards[0], of: deck)
    #expect(back.status == .ok)
    for text in ["0?", "0!", "I Knew It"] { #expect(back.text.contains(text)) }
    for _ in 0..<2 {
      let answered = await press("known", deck.cards[0], of: deck)
      #expect(answered.headers["Location"] == path + "?answered=1")
    }
    let next = await pages.get(path + "?answered=1").text
    #expect(next.contains("1?") && !next.contains("1!"))
    _ = await press("again", deck.cards[1], of: deck)
    let done = await pages.get(path).text
    #expect(done.contains("Nothing to Study Now") && done.contains("The next card is due "))
    let counts = try await pages.dependencies.database.database.read {
      try SQL("SELECT knownCount FROM flashcardProgress ORDER BY knownCount")
        .all($0, as: Int.self)
    }
    #expect(counts == [0, 1])
  }

  @Test func `A card that is answered in two open pages counts once`() async throws {
    let deck = try await stored()
    let address = Address.study(deck.id)
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
  func `What was answered is counted from card to card without the script`(
    language: Language, counts: [String]
  ) async throws {
    pages.dependencies.language.use(language)
    let deck = try await stored(cards: 3)
    for (number, expected) in counts.enumerated() {
      let card = deck.cards[number]
      let back = await press("reveal", card, of: deck, answered: number)
      #expect(back.text.contains(#"name="answered" value="\#(number)""#))
      let answered = await press("known", card, of: deck, answered: number)
      let next = await pages.get(try #require(answered.headers["Location"])).text
      #expect(count(next) == expected)
    }
    _ = await press("known", deck.cards[2], of: deck, answered: 2)
    let done = await pages.get(Address.study(deck.id, answered: 3)).text
    #expect(count(done) == (language == .english ? "3 cards answered" : "3 карточки пройдены"))
    #expect(count(await pages.get(Address.study(deck.id)).text) == "")
  }

  @Test func `In an open page the back and the next card are shown there`() async throws {
    let deck = try await stored()
    let tab = try pages.tabID(await pages.get(Address.study(deck.id)).text)
    for action in ["reveal", "known"] {
      let response = await press(action, deck.cards[0], of: deck, tab: tab)
      #expect(response.status == .noContent && response.headers["Offshore-Location"] == nil)
      #expect(Int(response.headers["Offshore-Revision"] ?? "") ?? 0 > 0)
    }
  }

  @Test func `An answer that cannot be stored is said, with the card to answer again`()
    async throws
  {
    let deck = try await stored()
    try await pages.dependencies.database.database.write {
      _ = try SQL(
        "CREATE TRIGGER refuse BEFORE INSERT ON flashcardProgress BEGIN SELECT raise(ABORT, 'x'); END"
      ).run($0)
    }
    let answer: Fields = ["card": deck.cards[0].id.uuidString, "action": "known"]
    let response = await pages.post(Address.study(deck.id), answer)
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Your change could not be saved."))
    #expect(response.text.contains("0!"))
  }

  @Test func `An answer that makes no sense is refused`() async throws {
    let deck = try await stored()
    let path = Address.study(deck.id)
    let card = deck.cards[0].id.uuidString
    #expect(await pages.post(path, ["card": card, "action": "perhaps"]).status == .badRequest)
    #expect(await pages.post(path, ["card": "x", "action": "known"]).status == .badRequest)
    #expect(await pages.post(path, ["action": "known"]).status == .badRequest)
  }

  @Test func `Studying is in the language in use`() async throws {
    pages.dependencies.language.use(.russian)
    let deck = try await stored()
    let page = await pages.get(Address.study(deck.id)).text
    #expect(page.contains("2 карточки для повторения") && page.contains("Показать ответ"))
    let back = await press("reveal", deck.cards[0], of: deck).text
    #expect(back.contains("Ещё раз") && back.contains("Знаю"))
  }
}
