import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// Says, where a charter cannot be changed by who looks at it, that it is so and why.
struct LookOnly: Component {
  private let text: String?

  init(_ role: CharterRole?, _ say: Speaker) {
    text = role.flatMap { $0.canEdit ? nil : say($0.ownSentence) }
  }

  var html: HTML {
    if let text { p(.id("look-only"), .class("look-only")) { text } }
  }
}
