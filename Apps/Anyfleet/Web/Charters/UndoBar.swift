import OffshorePresentation
import OffshoreWeb

/// Says what was just removed, with a button that brings it back.
struct UndoBar: Component {
  private let text: String
  private let button: String
  private let address: String

  /// Takes what to say, and where it is posted that it is to be undone.
  init(_ text: LocalizedText, _ say: Speaker, to address: String) {
    self.text = say(text)
    button = say(.undo)
    self.address = address
  }

  var html: HTML {
    div(.id("undo"), .class("undo"), .role(.status)) {
      p { text }
      PostForm(to: address) { SubmitButton(button, style: .plain) }
    }
  }
}
