import Anyfleet
import OffshorePages
import OffshorePresentation
import OffshoreWeb

extension FlashcardDeck: ShownEntry {
  static let icon = Icon("stack", text: "▤")

  func content(_ say: Speaker) -> HTML {
    h2 { say(.cardsHeading) }
    if cards.isEmpty { p { say(.noCards) } } else { list(say) }
  }

  @MainActor private func list(_ say: Speaker) -> Card {
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

/// The number of cards that are due in a deck, with a link to study them.
@MainActor struct DueCardsView: Component {
  let html: HTML

  init(study: StudySession, say: Speaker) {
    let address = LibraryRoute.entry(.decks, study.deckID).address
    html = HTML {
      Notices(study.notices, say, address: address)
      StateContent(study.dueCards, say, loading: .lookingForDueCards, address: address) { cards in
        if !cards.isEmpty { p(.id("due"), .class("sub")) { say(.due(cards.count)) } }
        if let date = study.nextDueDate {
          p(.id("next-due"), .class("sub")) { say(.nextDue(say.dayAndTime(date))) }
        }
        if !cards.isEmpty {
          p(.class("actions")) {
            a(.class("button", "primary"), .href(LibraryRoute.study(study.deckID).address)) {
              say(.study)
            }
          }
        }
      }
    }
  }
}
