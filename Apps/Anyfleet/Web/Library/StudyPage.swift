import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The route of the page that studies a deck.
enum StudyRoute: PageRoute {
  case study(UUID)

  var path: RoutePath {
    switch self {
    case .study(let id): "library/decks/\(id)/study"
    }
  }

  static let all: [RouteCase<StudyRoute>] = [RouteCase(StudyRoute.study)]
}

extension AnyfleetPages {
  @MainActor func page(_ route: StudyRoute, _ query: Fields) -> StudyPage {
    switch route {
    case .study(let id):
      StudyPage(
        frame: frame, study: dependencies.makeStudySession(id),
        answered: query["answered"].flatMap { Int($0) } ?? 0)
    }
  }
}

/// The page that studies a deck one card at a time: the front, then the back and the user's answer.
@MainActor final class StudyPage: RoutedPage {
  private let frame: AppFrame
  private let study: StudySession
  /// The number of cards that were answered on earlier pages. Without the script, each answer opens
  /// a new page.
  private var answeredBefore: Int

  init(frame: AppFrame, study: StudySession, answered: Int) {
    self.frame = frame
    self.study = study
    answeredBefore = Self.limited(answered)
  }

  private static func limited(_ count: Int) -> Int { min(max(0, count), 9_999) }

  private var say: Localizer { frame.say }
  private var deckAddress: String {
    LibraryRoute.entry(EntityKind(FlashcardDeck.self), study.deckID).address
  }
  private var address: String { StudyRoute.study(study.deckID).address }
  /// The address after the next button was pressed.
  private var next: String {
    let count = answeredCount + (study.isRevealed ? 1 : 0)
    return count > 0 ? "\(address)?answered=\(count)" : address
  }
  private var answeredCount: Int { answeredBefore + study.answeredCount }

  func load() async throws {
    await study.load()
    if study.deck.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  /// Shows the back of a card, or stores the answer to it.
  func perform(_ form: PageForm) async throws -> Outcome {
    let card = try form.value("card", as: UUID.self)
    let answered = Int(form.text("answered")) ?? 0
    answeredBefore = Self.limited(answered - study.answeredCount)
    if form.action == "reveal" {
      study.reveal(card)
      return .drafted
    }
    guard let answer = StudyAnswer(rawValue: form.action) else { throw form.unknownAction }
    if let error = study.dueCards.errorValue { throw error }
    return await study.answer(answer, cardID: card) ? .done : .invalid
  }

  func page(_ tab: Tab) -> Page {
    var page = frame.page(
      tab, study.deck.data?.title ?? say(FlashcardDeck.texts.one), in: .library,
      back: PageLink(say(FlashcardDeck.texts.one), to: deckAddress)
    ) {
      tab.region("study") {
        Notices(self.study.notices, self.say, address: self.address)
        if let error = self.study.deck.errorValue {
          ErrorView(error, self.say, address: self.address)
        } else {
          StateContent(
            self.study.dueCards, self.say, loading: .lookingForDueCards, address: self.address
          ) { self.content($0) }
        }
      }
    }
    page.stylesheets = [.charters]
    return page
  }

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
    PostForm(to: next, id: "\(study.isRevealed ? "answer" : "reveal")-\(card.id)") {
      HiddenValue("card", card.id.uuidString)
      HiddenValue("answered", "\(answeredCount)")
      div(.class("buttons")) {
        if study.isRevealed {
          SubmitButton(say(.answerAgain), style: .plain, action: StudyAnswer.again.rawValue)
          SubmitButton(say(.answerKnown), action: StudyAnswer.known.rawValue)
        } else {
          SubmitButton(say(.showAnswer), action: "reveal")
        }
      }
    }
  }

  private var rest: EmptyView {
    EmptyView(
      icon: Icon("stack", text: "▤"), title: say(.nothingDue),
      text: study.nextDueDate.map { say(.nextDue(say.dayAndTime($0))) } ?? say(.noCards),
      action: .link(say(.backToDeck), to: deckAddress))
  }
}

extension LocalizedText {
  static let study = LocalizedText(en: "Study", ru: "Учить")
  static let cardsHeading = LocalizedText(en: "Cards", ru: "Карточки")
  static let showAnswer = LocalizedText(en: "Show the answer", ru: "Показать ответ")
  static let answerAgain = LocalizedText(en: "Again", ru: "Ещё раз")
  static let answerKnown = LocalizedText(en: "I knew it", ru: "Знаю")
  static let lookingForDueCards = LocalizedText(
    en: "Looking for cards to ask…", ru: "Ищем карточки для повторения…")
  static let nothingDue = LocalizedText(
    en: "Nothing to study now", ru: "Сейчас повторять нечего")
  static let noCards = LocalizedText(en: "The deck has no cards.", ru: "В колоде нет карточек.")
  static let backToDeck = LocalizedText(en: "Back to the deck", ru: "К колоде")

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
