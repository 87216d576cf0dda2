import OffshorePresentation
import OffshoreWeb

/// The page of the app's purpose, version and licence, and of the location of the data.
struct AboutPage: RoutedPage {
  private let frame: AppFrame

  init(_ frame: AppFrame) { self.frame = frame }

  func page(_ tab: Tab) -> Page {
    let (say, facts) = (frame.say, frame.facts)
    return frame.page(tab, say(.about(frame.name)), in: .profile, back: frame.backToProfile) {
      if let purpose = facts.purpose { p { say(purpose) } }
      p { say(.whereDataStays) }
      DataFactsView(frame)
      if let licence = facts.licence {
        h2 { say(.licence) }
        p { say(licence) }
      }
    }
  }
}
