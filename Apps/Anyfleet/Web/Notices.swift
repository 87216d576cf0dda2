import Anyfleet
import Foundation
import OffshorePresentation
import OffshoreWeb

/// Says, above what is shown, that it may be out of date or that something was left out.
struct Notices: Component {
  private let notices: [Notice]
  private let say: Speaker

  /// Takes what went wrong.
  init(_ errors: [AppError], _ say: Speaker) {
    notices = Notice.all(of: errors)
    self.say = say
  }

  var html: HTML {
    if !notices.isEmpty {
      div(.class("notices")) {
        div(.role(.status)) {
          for notice in notices { p { say(notice.text) } }
        }
        places
      }
    }
  }

  /// Where what is left out is stored, folded away: it is for those who look after the data.
  @HTMLBuilder private var places: HTML {
    let places = notices.flatMap(\.places)
    if !places.isEmpty {
      details(.class("places")) {
        summary { say(.details) }
        ul {
          for place in places { li { entry(place) } }
        }
      }
    }
  }

  private func entry(_ place: StoredPlace) -> HTML {
    let text = code { "\(place)" }
    return place.address.map { address in a(.href(address)) { text } } ?? text
  }
}

extension StoredPlace {
  /// The page of the entry, where it can be deleted.
  var address: String? {
    guard let id = UUID(uuidString: row) else { return nil }
    return switch table {
    case "charters": Address.charter(id)
    case "checklists": Address.entry(id, in: .checklists)
    case "practiceGuides": Address.entry(id, in: .guides)
    case "flashcardDecks": Address.entry(id, in: .decks)
    default: nil
    }
  }
}
