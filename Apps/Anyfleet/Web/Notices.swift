import Anyfleet
import Foundation
import OffshorePresentation
import OffshoreWeb

/// Says, above what is shown, that it may be out of date or that something was left out.
struct Notices: Component {
  private let notices: [Notice]
  private let say: Speaker
  private let address: String

  /// Takes what went wrong.
  /// - Parameter address: the page's own, to read again by where that may help.
  init(_ errors: [AppError], _ say: Speaker, address: String) {
    notices = Notice.all(of: errors)
    self.say = say
    self.address = address
  }

  var html: HTML {
    if !notices.isEmpty {
      div(.class("notices")) {
        div(.role(.status)) {
          for notice in notices { p { say(notice.text) } }
        }
        if notices.contains(where: \.isRetryable) { RefreshLink(to: address, say) }
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

/// Reads a page again.
struct RefreshLink: Component {
  private let address: String
  private let title: String

  /// Takes the page's own address.
  init(to address: String, _ say: Speaker) {
    self.address = address
    title = say(.refresh)
  }

  var html: HTML {
    a(.class("refresh"), .href(address)) { RefreshLabel(title: title) }
  }
}

/// Asks the server what is new, and reads a page again.
struct RefreshButton: Component {
  private let address: String
  private let title: String

  /// Takes where it is posted.
  init(to address: String, _ say: Speaker) {
    self.address = address
    title = say(.refresh)
  }

  var html: HTML {
    PostForm(to: address) {
      button(.type(.submit), .class("refresh")) { RefreshLabel(title: title) }
    }.html
  }
}

private struct RefreshLabel: Component {
  let title: String

  var html: HTML {
    Icon("arrow-clockwise", text: "↻")
    span { title }
  }
}
