import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Writing a deck: one form, whose buttons change it and save it.
struct DeckEditorPage: LivePage {
  let shell: Shell
  let viewModel: DeckViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if loadError == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Why there is nothing to change, where there is not.
  var loadError: AppError? { viewModel.isNew ? nil : viewModel.deck.errorValue }

  func page(_ tab: Tab) -> Page {
    shell.page(
      viewModel.isNew ? say(LibraryPart.decks.newTitle) : say(.edit), in: .library, back: back
    ) {
      tab.region("deck-form") {
        if let error = loadError {
          ErrorView(error, say, address: address)
        } else {
          if let error = viewModel.saveError { ErrorView(error, say) }
          form
        }
      }
    }
  }

  private var address: String {
    viewModel.isNew
      ? Address.newEntry(in: .decks) : Address.editEntry(viewModel.deckID, in: .decks)
  }

  private var back: PageLink {
    viewModel.isNew
      ? PageLink(say(.library), to: Address.library(.decks))
      : PageLink(
        say(LibraryPart.decks.entryTitle), to: Address.entry(viewModel.deckID, in: .decks))
  }

  private var form: PostForm {
    PostForm(to: address, id: "deck-editor", enterAction: "save") {
      HiddenValue("draft", viewModel.deckID.uuidString)
      Field(
        say(.title), name: "title", value: viewModel.form.title, error: problem(.title),
        isRequired: true)
      if let problem = problem(.cards) { p(.class("error"), .id("cards-error")) { problem } }
      for (index, card) in viewModel.form.cards.enumerated() { cardView(card, index + 1) }
      div(.class("buttons")) {
        SubmitButton(say(.addCard), style: .plain, action: "add-card")
        SubmitButton(viewModel.isSaving ? say(.saving) : say(.save), action: "save")
      }
    }
  }

  private func cardView(_ card: Flashcard, _ number: Int) -> HTML {
    fieldset(.id("card-\(card.id)")) {
      legend { say(.card(number)) }
      HiddenValue("card", card.id.uuidString)
      Field(
        say(.front), name: "front", value: card.front, kind: .text(rows: 2),
        error: problem(.front(card.id)), isRequired: true, id: "front-\(card.id)")
      Field(
        say(.back), name: "back", value: card.back, kind: .text(rows: 2),
        error: problem(.back(card.id)), isRequired: true, id: "back-\(card.id)")
      div(.class("tools")) {
        SubmitButton(
          say(.remove), style: .plain, label: say(.named(.remove, say(.card(number)))),
          action: "remove-card-\(card.id)")
      }
    }
  }

  private func problem(_ field: DeckFormState.Field) -> String? {
    viewModel.problem(field).map { say($0) }
  }
}

extension AnyfleetPages {
  func newDeck(_ request: Request) async throws -> Response {
    try await tabs.open(request) { newDeckPage() }
  }

  func editDeck(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    return try await tabs.open(request) { deckEditorPage(id) }
  }

  func changeNewDeck(_ request: Request) async throws -> Response {
    let draftID = try draftID(request.form(maximumCount: Self.editorFieldCount))
    return try await change(request, at: Address.newEntry(in: .decks)) { newDeckPage(draftID) }
  }

  func changeDeck(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    return try await change(request, at: Address.editEntry(id, in: .decks)) { deckEditorPage(id) }
  }

  /// Takes what was entered, and then does what the button says.
  private func change(
    _ request: Request, at address: String, page: @MainActor () -> DeckEditorPage
  ) async throws -> Response {
    let fields = try request.form(maximumCount: Self.editorFieldCount)
    guard let action = fields["action"].flatMap(DeckEditorAction.init) else {
      throw HTTPError(.badRequest, "The form has no field action that a button sends.")
    }
    let form = try DeckFormState(fields)
    return try await tabs.act(request, at: address, page: page) { page in
      if let error = page.loadError { throw error }
      page.viewModel.form = form
      switch action {
      case .addCard: page.viewModel.addCard()
      case .removeCard(let id): page.viewModel.form.removeCard(id)
      case .save:
        let deck = await page.viewModel.save()
        return deck.map { .go(to: Address.entry($0.id, in: .decks)) } ?? .invalid
      }
      return .drafted
    }
  }

  /// - Parameter draftID: the id that the form was given before, where it comes back.
  @MainActor private func newDeckPage(_ draftID: UUID? = nil) -> DeckEditorPage {
    DeckEditorPage(shell: shell, viewModel: dependencies.makeNewDeck(draftID: draftID))
  }

  @MainActor private func deckEditorPage(_ id: UUID) -> DeckEditorPage {
    DeckEditorPage(shell: shell, viewModel: dependencies.makeDeck(id))
  }
}
