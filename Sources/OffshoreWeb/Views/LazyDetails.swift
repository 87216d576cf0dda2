/// A collapsible part of a page whose content is rendered when it is opened.
///
/// It is for long lists whose rows have forms. Before it is opened, it contains a button of a form
/// that all such parts of a page share. The script activates the button when the part is opened.
/// The page performs the form's action, renders the part loaded, and ends the action with
/// ``Outcome/drafted``, so that a page without the script shows it, too. Text that is typed in a
/// loaded part outlives the tab. The part has to be in a ``Tab/region(_:_:)``.
///
/// ```swift
/// PostForm(to: address, id: "open-notes") { HiddenValue("action", "open") }
/// for row in rows {
///   LazyDetails(
///     "Note", icon: Icon("chat-left", text: "✎"), id: "note-\(row.id)", style: "note",
///     isLoaded: opened.contains(row.id), form: "open-notes", to: "\(address)#note-\(row.id)",
///     name: "row", value: row.id.uuidString
///   ) { noteForm(of: row) }
/// }
/// ```
public struct LazyDetails: Component {
  private let label: String
  private let icon: Icon
  private let id: String
  private let style: String
  private let isLoaded: Bool
  private let content: HTML

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - title: the title of the button.
  ///   - label: the label of the icon that opens the part, and of the button; by default the title.
  ///   - icon: the icon.
  ///   - id: the id of the part.
  ///   - style: the class of the part in a stylesheet.
  ///   - isLoaded: whether the part has its content, and is open when the page is loaded.
  ///   - form: the id of the form.
  ///   - address: the address of the form, with the place to show without the script, such as the
  ///     id of the row.
  ///   - name: the name of the field with the value.
  ///   - value: the value that identifies the part.
  ///   - content: the content, which is not created before the part is loaded.
  public init(
    _ title: String, label: String? = nil, icon: Icon, id: String, style: String, isLoaded: Bool,
    form: String, to address: String, name: String, value: String, @HTMLBuilder content: () -> HTML
  ) {
    self.label = label ?? title
    self.icon = icon
    self.id = id
    self.style = style
    self.isLoaded = isLoaded
    self.content =
      isLoaded
      ? content()
      : button(
        .type(.submit), .class("button", "plain"), .form(form), .formaction(address),
        .name(name), .value(value), self.label == title ? .none : .ariaLabel(self.label),
        .data("more", "")
      ) { title }
  }

  /// The part.
  public var html: HTML {
    details(.id(id), .class(style), .open(isLoaded)) {
      summary(.class("icon-button"), .ariaLabel(label)) { icon }
      content
    }
  }
}
