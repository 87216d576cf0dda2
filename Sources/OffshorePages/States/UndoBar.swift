public import OffshorePresentation
public import OffshoreWeb

/// A bar that names what was just removed, with a button that restores it and one that dismisses the bar.
public struct UndoBar: Component {
  private let text: LocalizedText
  private let say: Speaker
  private let undo: String
  private let dismiss: String
  private let id: String
  private let isAnnounced: Bool
  private let fields: HTML

  /// Makes a bar.
  ///
  /// - Parameters:
  ///   - text: a sentence that names the removed entry.
  ///   - undo: the address that the button for undoing posts to.
  ///   - dismiss: the address that the other button posts to.
  ///   - isAnnounced: whether assistive technology announces the bar when it appears.
  ///   - fields: fields of both forms.
  public init(
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

  /// The bar.
  public var html: HTML {
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

extension LocalizedText {
  static let undo = LocalizedText(en: "Undo", ru: "Отменить")
  static let dismiss = LocalizedText(en: "Dismiss", ru: "Скрыть")
}
