package import Anyfleet
import Foundation
import OffshorePages
package import OffshorePresentation
package import OffshoreWeb

extension FlashcardDeck: ShownEntity {
  package static let icon = Icon("stack", text: "▤")

  package func content(_ say: Localizer) -> HTML {
    h2 { say(.cardsHeading) }
    if cards.isEmpty { p { say(.noCards) } } else { list(say) }
  }

  @MainActor private func list(_ say: Localizer) -> Card {
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
  /// Returns the page of a deck, with the due cards above the others.
  @MainActor func deckPage(_ id: UUID) -> any RoutedPage {
    let study = dependencies.makeStudySession(id)
    return library.page(of: FlashcardDeck.self, id) {
      await study.load()
    } content: { deck in
      DueCardsView(study: study, say: frame.say)
      deck.content(frame.say)
    }
  }
}

/// The number of due cards in a deck, with a link to study them.
@MainActor struct DueCardsView: Component {
  let html: HTML

  init(study: StudySession, say: Localizer) {
    let address = LibraryRoute.entry(EntityKind(FlashcardDeck.self), study.deckID).address
    html = HTML {
      Notices(study.notices, say, address: address)
      StateContent(study.dueCards, say, loading: .lookingForDueCards, address: address) { cards in
        if !cards.isEmpty { p(.id("due"), .class("sub")) { say(.due(cards.count)) } }
        if let date = study.nextDueDate {
          p(.id("next-due"), .class("sub")) { say(.nextDue(say.dayAndTime(date))) }
        }
        if !cards.isEmpty {
          p(.class("actions")) {
            a(.class("button", "primary"), .href(StudyRoute.study(study.deckID).address)) {
              say(.study)
            }
          }
        }
      }
    }
  }
}
