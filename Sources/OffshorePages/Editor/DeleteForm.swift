public import OffshorePresentation
public import OffshoreWeb

/// A small button beside a row that deletes its entry; the undo bar restores it.
///
/// The form sends the action `delete` and the id of the entry.
@MainActor public struct DeleteForm: Component {
  /// The form with its button.
  public let html: HTML

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - title: the title of the entry, for assistive technology.
  ///   - name: the name of the field with the id.
  ///   - id: the id of the entry.
  ///   - address: the page's own address.
  public init(
    _ title: String, _ name: String, _ id: some RouteValue, to address: String, _ say: Speaker
  ) {
    html =
      PostForm(to: address) {
        HiddenValue(name, id.routeText)
        SubmitButton(say(.delete), style: .plain, label: say(.delete(title)), action: "delete")
      }.html
  }
}

/// A deletion that takes two steps, with and without the script: the button is folded.
///
/// The form sends the action `delete` unless another one is stated.
@MainActor public struct FoldedDeletion: Component {
  /// The heading, which unfolds a text and the button.
  public let html: HTML

  /// Makes a deletion.
  ///
  /// - Parameters:
  ///   - heading: the heading; “Delete” unless stated.
  ///   - text: the consequences of the deletion; that it can be undone unless stated.
  ///   - button: the title of the button; “Delete” unless stated.
  ///   - label: the label of the button, which names the entry.
  ///   - action: the action that the form sends, and the id of the part.
  ///   - address: the page's own address.
  ///   - fields: values that are sent, too.
  public init(
    _ heading: LocalizedText = .delete, text: LocalizedText? = nil, button: LocalizedText = .delete,
    label: LocalizedText? = nil, action: String = "delete", to address: String, _ say: Speaker,
    @HTMLBuilder fields: () -> HTML = { HTML() }
  ) {
    let fields = fields()
    html = details(.id(action), .class("section")) {
      summary { h2 { say(heading) } }
      p { say(text ?? .canBeUndone) }
      PostForm(to: address) {
        fields
        SubmitButton(
          say(button), style: .destructive, label: label.map { say($0) }, action: action)
      }
    }
  }
}
