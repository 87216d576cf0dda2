/// A part of a page that folds, whose content is rendered once it has been opened: for rows that have much
/// behind them.
///
/// Until then it contains a button of a form that all such parts of a page share. The script presses it as the
/// part is opened. The page then performs the form's action, and renders the part open and loaded.
///
/// ```swift
/// PostForm(to: address, id: "open-notes") { HiddenValue("action", "open") }
/// for row in rows {
///   LazyDetails(
///     "Note", icon: Icon("chat-left", text: "✎"), id: "note-\(row.id)", style: "note",
///     isLoaded: opened.contains(row.id), form: "open-notes", name: "row", value: row.id.uuidString
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

  /// Makes a part.
  ///
  /// - Parameters:
  ///   - title: the title of the button.
  ///   - label: the label of the icon that opens the part; the title unless stated.
  ///   - icon: the icon.
  ///   - id: the id of the part.
  ///   - style: the class of the part in a stylesheet.
  ///   - isLoaded: whether the part has its content, and is open when the page is loaded.
  ///   - form: the id of the form.
  ///   - name: the name of the field by which the form gets the value.
  ///   - value: the value that says which part it is.
  ///   - content: the content, which is not made before the part is loaded.
  public init(
    _ title: String, label: String? = nil, icon: Icon, id: String, style: String, isLoaded: Bool,
    form: String, name: String, value: String, @HTMLBuilder content: () -> HTML
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
        .type(.submit), .class("button", "plain"), .form(form), .name(name), .value(value),
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
