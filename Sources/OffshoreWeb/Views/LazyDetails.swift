/// A collapsible part of a page whose content is rendered when it is opened.
///
/// It is for long lists whose rows have forms. The user opens and closes the part by its icon. Until
/// the content is rendered, the part contains only a button, which submits a form that all such
/// parts of a page share. The script presses the button as soon as the user has opened the part.
/// Without the script, the user presses it.
///
/// The app then renders this part with `isLoaded`, and ends the action of the form with
/// ``Outcome/drafted``, so that a browser without the script receives the page with the loaded
/// part. The part has to be in a ``Tab/region(_:_:)``.
///
/// If the device closes the tab while the browser still shows the page, the script fetches the page
/// again, in a new tab. On the device, the part of the new tab has no content yet. In the browser,
/// the part retains its content and the text that the user has entered in it. If it is open, the
/// script also presses the button of the page that it has fetched, so that the new tab has the
/// content, too.
///
/// ```swift
/// PostForm(to: address, id: "open-notes") { HiddenValue("action", "open") }
/// for row in rows {
///   LazyDetails(
///     "Note", icon: Icon("chat-left", text: "✎"), id: "note-\(row.id)", cssClass: "note",
///     isLoaded: opened.contains(row.id), form: "open-notes", to: "\(address)#note-\(row.id)",
///     name: "row", value: row.id.uuidString
///   ) { noteForm(of: row) }
/// }
/// ```
public struct LazyDetails: Component {
  private let label: String
  private let icon: Icon
  private let id: String
  private let cssClass: String
  private let isLoaded: Bool
  private let content: HTML

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - title: the title of the button.
  ///   - label: the accessible label of both the icon and the button; by default the title.
  ///   - icon: the icon that opens and closes the part.
  ///   - id: the id of the part.
  ///   - cssClass: the CSS class of the part, for rules in a ``Stylesheet`` of the app about the
  ///     places of its icon and its content. Without such rules, the content is below the icon.
  ///   - isLoaded: whether the part has its content. If so, it is open when the page is loaded.
  ///   - form: the id of the shared form.
  ///   - address: the address to which the button posts the form, in place of the form's own.
  ///     Without the script, the browser then scrolls to the element whose id is the fragment of
  ///     the address, such as this part.
  ///   - name: the name under which the value is sent.
  ///   - value: the value that identifies the part.
  ///   - content: the content, which is created only if the part is loaded.
  public init(
    _ title: String, label: String? = nil, icon: Icon, id: String, cssClass: String, isLoaded: Bool,
    form: String, to address: String, name: String, value: String, @HTMLBuilder content: () -> HTML
  ) {
    self.label = label ?? title
    self.icon = icon
    self.id = id
    self.cssClass = cssClass
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
    details(.id(id), .class(cssClass), .open(isLoaded)) {
      summary(.class("icon-button"), .ariaLabel(label)) { icon }
      content
    }
  }
}
