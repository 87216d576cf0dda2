import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Studying a deck, one card at a time: the front, then the back and how well it was known.
struct StudyPage: LivePage {
  let shell: Shell
  let viewModel: DeckViewModel
  /// The card whose back is asked for.
  let cardID: UUID?

  private var say: Speaker { shell.say }
  private var study: StudySession { viewModel.study }

  func load() async throws {
    await viewModel.load()
    if viewModel.deck.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
    if let cardID { study.reveal(cardID) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      viewModel.deck.data?.title ?? say(LibraryPart.decks.entryTitle), in: .library,
      back: PageLink(
        say(LibraryPart.decks.entryTitle), to: Address.entry(viewModel.deckID, in: .decks))
    ) {
      tab.region("study") {
        Notices(study.notices, say)
        if let error = viewModel.deck.errorValue {
          ErrorView(error, say, address: address)
        } else {
          StateContent(
            study.dueCards, say, loading: .lookingForDueCards, address: address
          ) { content($0) }
        }
      }
    }
  }

  private var address: String { Address.study(viewModel.deckID) }

  @HTMLBuilder private func content(_ due: [Flashcard]) -> HTML {
    p(.id("study-count"), .class("sub"), .role(.status)) {
      say(.due(due.count))
      if study.answeredCount > 0 { ", \(say(.answered(study.answeredCount)))" }
    }
    if let error = study.answerError { ErrorView(error, say) }
    if let card = due.first { question(card) } else { rest }
  }

  @HTMLBuilder private func question(_ card: Flashcard) -> HTML {
    Card(id: "study-card") {
      div(.class("flashcard"), .id("flashcard-\(card.id)")) {
        p(.class("front")) { card.front }
        if study.isRevealed { p(.class("back"), .role(.status)) { card.back } }
      }
    }
    if study.isRevealed {
      PostForm(to: address, id: "answer-\(card.id)") {
        HiddenValue("card", card.id.uuidString)
        div(.class("buttons")) {
          SubmitButton(
            say(.answerAgain), style: .plain, action: StudyAnswer.again.rawValue)
          SubmitButton(say(.answerKnown), action: StudyAnswer.known.rawValue)
        }
      }
    } else {
      p(.class("actions")) {
        a(
          .class("button", "primary"),
          .href(Address.study(viewModel.deckID, revealing: card.id))
        ) { say(.showAnswer) }
      }
    }
  }

  private var rest: EmptyView {
    EmptyView(
      icon: Icon("stack", text: "▤"), title: say(.nothingDue),
      text: study.nextDueDate.map { say(.nextDue(say.dayAndTime($0))) } ?? say(.noCards),
      action: .link(say(.backToDeck), to: Address.entry(viewModel.deckID, in: .decks)))
  }
}

extension AnyfleetPages {
  func study(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    let card = request.query["card"].flatMap(UUID.init(uuidString:))
    return try await tabs.open(request) { studyPage(id, card) }
  }

  /// Notes how well a card was known; answers once that is on disk.
  func answerCard(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    let fields = try request.form
    guard let card = fields["card"].flatMap(UUID.init(uuidString:)),
      let answer = fields["action"].flatMap(StudyAnswer.init(rawValue:))
    else { throw HTTPError(.badRequest, "The form needs a card and an answer to it.") }
    return try await tabs.act(request, at: Address.study(id)) {
      studyPage(id, nil)
    } action: { page in
      if let error = page.viewModel.study.dueCards.errorValue { throw error }
      return await page.viewModel.study.answer(answer, cardID: card) ? .done : .invalid
    }
  }

  @MainActor private func studyPage(_ id: UUID, _ card: UUID?) -> StudyPage {
    StudyPage(shell: shell, viewModel: dependencies.makeDeck(id), cardID: card)
  }
}
