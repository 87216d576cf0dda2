import OffshorePresentation
import OffshoreWeb

/// Says what was just removed, with a button that brings it back and one that takes the offer away.
struct UndoBar: Component {
  private let text: LocalizedText
  private let say: Speaker
  private let undo: String
  private let dismiss: String
  private let id: String
  private let isAnnounced: Bool
  private let fields: HTML

  /// Takes what to say.
  ///
  /// - Parameters:
  ///   - undo: where it is posted that it is to be undone.
  ///   - dismiss: where it is posted that it need not be undone.
  ///   - isAnnounced: whether it is read out when it appears.
  ///   - fields: what both send along.
  init(
    _ text: LocalizedText, _ say: Speaker, undo: String, dismiss: String, id: String = "undo",
    isAnnounced: Bool = true, @HTMLBuilder fields: () -> HTML = { HTML() }
  ) {
    self.text = text
    self.say = say
    self.undo = undo
    self.dismiss = dismiss
    self.id = id
    self.isAnnounced = isAnnounced
    self.fields = fields()
  }

  var html: HTML {
    div(.id(id), .class("undo"), isAnnounced ? .role(.status) : .none) {
      p { say(text) }
      PostForm(to: undo, id: "\(id)-do") {
        fields
        SubmitButton(say(.undo), style: .plain)
      }
      PostForm(to: dismiss, id: "\(id)-dismiss") {
        fields
        SubmitButton(say(.dismiss), style: .plain)
      }
    }
  }
}
