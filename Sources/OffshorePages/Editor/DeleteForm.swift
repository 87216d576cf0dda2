public import OffshorePresentation
public import OffshoreWeb

/// A small button that deletes the entry of a row.
///
/// The form sends the action `delete` and the id of the entry. The page deletes the entry, and
/// offers to undo it by ``AppFrame/remove(_:saying:)`` or
/// ``AppFrame/offerUndo(_:leadingTo:restore:)``.
@MainActor public struct DeleteForm: Component {
  /// The form with its button.
  public let html: HTML

  /// Creates a button.
  ///
  /// - Parameters:
  ///   - title: the title of the entry, for assistive technology.
  ///   - name: the name of the field with the id.
  ///   - id: the id of the entry.
  ///   - address: the page's own address.
  public init(
    _ title: String, _ name: String, _ id: some RouteValue, to address: String, _ say: Localizer
  ) {
    html =
      PostForm(to: address) {
        HiddenValue(name, id.routeText)
        SubmitButton(say(.delete), style: .plain, label: say(.delete(title)), action: "delete")
      }.html
  }
}

/// A section that deletes an entry in two steps: a heading expands it, and then a button sends the
/// form.
///
/// Both steps work without the script, too. The form sends the action `delete` by default.
@MainActor public struct DeletionSection: Component {
  /// The heading, which expands a text and the button.
  public let html: HTML

  /// Creates a section.
  ///
  /// - Parameters:
  ///   - heading: the heading; “Delete” by default.
  ///   - text: the consequences of the deletion; that it can be undone by default.
  ///   - button: the label of the button; “Delete” by default.
  ///   - label: the accessibility label of the button, which names the entry.
  ///   - action: the action of the form, and the id of the element.
  ///   - address: the page's own address.
  ///   - fields: further values of the form.
  public init(
    _ heading: LocalizedText? = nil, text: LocalizedText? = nil, button: LocalizedText? = nil,
    label: LocalizedText? = nil, action: String = "delete", to address: String, _ say: Localizer,
    @HTMLBuilder fields: () -> HTML = { HTML() }
  ) {
    let fields = fields()
    html = details(.id(action), .class("section")) {
      summary { h2 { say(heading ?? .delete) } }
      p { say(text ?? .canBeUndone) }
      PostForm(to: address) {
        fields
        SubmitButton(
          say(button ?? .delete), style: .destructive, label: label.map { say($0) }, action: action)
      }
    }
  }
}
