import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The page of a charter that is not here any more, with the way in which it ended.
struct CharterGonePage: RoutedPage {
  let frame: AppFrame
  let end: ScopeEnd

  func page(_ tab: Tab) -> Page {
    let say = frame.say
    return frame.page(
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
    case .deletedElsewhere(let date): .deletedElsewhere(frame.say.dayAndTime(date))
    case .deletedHere(let date): .deletedHere(frame.say.dayAndTime(date))
    case .revoked: .accessEnded
    }
  }
}
