import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Writing a deck.
struct DeckEditorPage: EditorPage {
  static let part = LibraryPart.decks
  static let name = "deck"

  let shell: Shell
  let viewModel: DeckViewModel

  @HTMLBuilder var fields: HTML {
    Field(
      say(.title), name: "title", value: viewModel.form.title, error: problem(.title),
      isRequired: true)
    if let problem = problem(.cards) { p(.class("error"), .id("cards-error")) { problem } }
    for (index, card) in viewModel.form.cards.enumerated() { cardView(card, index + 1) }
    div(.class("buttons")) {
      SubmitButton(say(.addCard), style: .plain, action: "add-card")
    }
    saveButton
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
    return try await edit(
      request, DeckFormState(fields), at: address,
      change: action == .save ? nil : action.change, page: page)
  }

  /// - Parameter draftID: the id that the form was given before, where it comes back.
  @MainActor private func newDeckPage(_ draftID: UUID? = nil) -> DeckEditorPage {
    DeckEditorPage(shell: shell, viewModel: dependencies.makeNewDeck(draftID: draftID))
  }

  @MainActor private func deckEditorPage(_ id: UUID) -> DeckEditorPage {
    DeckEditorPage(shell: shell, viewModel: dependencies.makeDeck(id))
  }
}
