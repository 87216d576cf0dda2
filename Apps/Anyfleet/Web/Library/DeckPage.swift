import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A deck of flashcards: what is due of it, and what it has.
struct DeckPage: LivePage {
  let shell: Shell
  let viewModel: DeckViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if viewModel.deck.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, viewModel.deck.data?.title ?? say(LibraryPart.decks.entryTitle), in: .library,
      back: PageLink(say(.library), to: Address.library(.decks))
    ) {
      tab.region("deck-due") { due }
      tab.region("deck-cards") { cards }
      tab.region("deck-actions") {
        EntryActions(
          viewModel.deckID, in: .decks, title: viewModel.deck.map(\.title),
          error: viewModel.actionError, say)
      }
    }
  }

  @HTMLBuilder private var due: HTML {
    if viewModel.deck.data != nil {
      Notices(
        viewModel.study.notices, say, address: Address.entry(viewModel.deckID, in: .decks))
      StateContent(
        viewModel.study.dueCards, say, loading: .lookingForDueCards,
        address: Address.entry(viewModel.deckID, in: .decks)
      ) { cards in
        if !cards.isEmpty { p(.id("due"), .class("sub")) { say(.due(cards.count)) } }
        if let date = viewModel.study.nextDueDate {
          p(.id("next-due"), .class("sub")) { say(.nextDue(say.dayAndTime(date))) }
        }
        if !cards.isEmpty {
          p(.class("actions")) {
            a(.class("button", "primary"), .href(Address.study(viewModel.deckID))) { say(.study) }
          }
        }
      }
    }
  }

  private var cards: StateContent<FlashcardDeck> {
    StateContent(
      viewModel.deck, say, loading: LibraryPart.decks.loading,
      address: Address.entry(viewModel.deckID, in: .decks)
    ) { deck in
      h2 { say(.cardsHeading) }
      if deck.cards.isEmpty { p { say(.noCards) } } else { list(deck.cards) }
    }
  }

  private func list(_ cards: [Flashcard]) -> Card {
    Card(label: say(.cardsHeading), id: "card-list") {
      for card in cards {
        div(.class("row"), .id("card-\(card.id)")) {
          span(.class("label")) {
            card.front
            small { card.back }
          }
        }
      }
    }
  }
}

extension AnyfleetPages {
  func deck(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    return try await tabs.open(request) { deckPage(id) }
  }

  func copyDeck(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    return try await tabs.act(request, at: Address.entry(id, in: .decks)) {
      deckPage(id)
    } action: { page in
      let copy = await page.viewModel.duplicate(in: page.shell.language.language)
      return copy.map { .go(to: Address.entry($0.id, in: .decks)) } ?? .invalid
    }
  }

  /// Deletes a deck and goes to the library, also where it is gone already.
  func deleteDeck(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    return try await deleting(from: .decks) {
      try await tabs.act(request, at: Address.entry(id, in: .decks)) {
        deckPage(id)
      } action: { page in
        await page.viewModel.delete() ? .go(to: Address.library(.decks)) : .invalid
      }
    }
  }

  @MainActor private func deckPage(_ id: UUID) -> DeckPage {
    DeckPage(shell: shell, viewModel: dependencies.makeDeck(id))
  }
}
