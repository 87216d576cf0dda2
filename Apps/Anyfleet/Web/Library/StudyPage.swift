import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Studying a deck, one card at a time: the front, then the back and how well it was known.
struct StudyPage: LivePage {
  let shell: Shell
  let viewModel: DeckViewModel
  /// How many cards were answered on the pages before this one: without the script each is a new one.
  let answeredBefore: Int

  private var say: Speaker { shell.say }
  private var study: StudySession { viewModel.study }

  func load() async throws {
    await viewModel.load()
    if viewModel.deck.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, viewModel.deck.data?.title ?? say(LibraryPart.decks.entryTitle), in: .library,
      back: PageLink(
        say(LibraryPart.decks.entryTitle), to: Address.entry(viewModel.deckID, in: .decks))
    ) {
      tab.region("study") {
        Notices(study.notices, say, address: address)
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

  private var answeredCount: Int { answeredBefore + study.answeredCount }

  /// What a button sends that shows the back of a card.
  nonisolated static let reveal = "reveal"

  @HTMLBuilder private func content(_ due: [Flashcard]) -> HTML {
    p(.id("study-count"), .class("sub"), .role(.status)) {
      [
        due.isEmpty ? nil : say(.due(due.count)),
        answeredCount == 0 ? nil : say(.answered(answeredCount)),
      ].compactMap(\.self).joined(separator: ", ")
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
    PostForm(to: address, id: "\(study.isRevealed ? "answer" : "reveal")-\(card.id)") {
      HiddenValue("card", card.id.uuidString)
      HiddenValue("answered", "\(answeredCount)")
      div(.class("buttons")) {
        if study.isRevealed {
          SubmitButton(say(.answerAgain), style: .plain, action: StudyAnswer.again.rawValue)
          SubmitButton(say(.answerKnown), action: StudyAnswer.known.rawValue)
        } else {
          SubmitButton(say(.showAnswer), action: StudyPage.reveal)
        }
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
    let count = answeredCount(request.query)
    return try await tabs.open(request) { studyPage(id, count) }
  }

  /// Shows the back of a card, or notes how well it was known; answers once that is on disk.
  func answerCard(_ request: Request) async throws -> Response {
    let fields = try request.form
    guard let card = fields["card"].flatMap(UUID.init(uuidString:)) else {
      throw HTTPError(.badRequest, "The form has no field card that is a UUID.")
    }
    guard fields["action"] != StudyPage.reveal else {
      return try await act(request, answering: 0) { study in
        study.reveal(card)
        return .drafted
      }
    }
    guard let answer = fields["action"].flatMap(StudyAnswer.init(rawValue:)) else {
      throw HTTPError(.badRequest, "The form has no field action that a button sends.")
    }
    return try await act(request, answering: 1) { study in
      if let error = study.dueCards.errorValue { throw error }
      return await study.answer(answer, cardID: card) ? .done : .invalid
    }
  }

  /// - Parameter count: how many cards more will have been answered on the next page.
  private func act(
    _ request: Request, answering count: Int,
    _ action: @MainActor (StudySession) async throws -> Outcome
  ) async throws -> Response {
    let id: UUID = try request.parameter("deck")
    let before = answeredCount(try request.form)
    return try await tabs.act(request, at: Address.study(id, answered: before + count)) {
      studyPage(id, before)
    } action: { page in
      try await action(page.viewModel.study)
    }
  }

  private func answeredCount(_ fields: Fields) -> Int {
    min(max(0, fields["answered"].flatMap { Int($0) } ?? 0), 9_999)
  }

  @MainActor private func studyPage(_ id: UUID, _ answeredBefore: Int) -> StudyPage {
    StudyPage(
      shell: shell, viewModel: dependencies.makeDeck(id), answeredBefore: answeredBefore)
  }
}
