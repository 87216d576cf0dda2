import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Says how a charter came to go that is not here any more.
struct CharterGonePage: RoutedPage {
  let shell: Shell
  let end: CharterEnd

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(
      tab, say(.charterGone), in: .charters, back: PageLink(say(.charters), to: Address.charters)
    ) {
      div(.id("gone")) {
        p { say(what) }
        if end.hasLostChanges { p { say(.changesDidNotStay) } }
      }
    }
  }

  private var what: LocalizedText {
    switch end.kind {
    case .deletedElsewhere(let date): .deletedElsewhere(shell.say.dayAndTime(date))
    case .deletedHere(let date): .deletedHere(shell.say.dayAndTime(date))
    case .revoked: .accessEnded
    }
  }
}
