/// An icon in the bar that links to a page, such as the form of a new entry.
public struct BarLink: Component {
  private let title: String
  private let address: String
  private let icon: Icon

  /// Creates a link.
  /// - Parameters:
  ///   - title: the accessible label of the icon.
  ///   - address: the address of the page.
  ///   - icon: the icon.
  public init(_ title: String, to address: String, icon: Icon) {
    self.title = title
    self.address = address
    self.icon = icon
  }

  /// Returns a link to the form of a new entry.
  public static func new(_ title: String, to address: String) -> BarLink {
    BarLink(title, to: address, icon: Icon("plus-lg", text: "+"))
  }

  /// Returns a link to the form of an entry.
  public static func edit(_ title: String, to address: String) -> BarLink {
    BarLink(title, to: address, icon: Icon("pencil", text: "✎"))
  }

  /// The link.
  public var html: HTML {
    a(.class("icon-button"), .href(address), .ariaLabel(title)) { icon }
  }
}

/// A button that opens a popover with a menu or a list. Pressing outside of the popover closes it.
///
/// It needs no script. Opening it moves nothing else on the page.
public struct Popover: Component {
  private let id: String
  private let title: String
  private let icon: Icon?
  private let content: HTML

  /// Creates a button and its popover.
  ///
  /// - Parameters:
  ///   - title: the title of the button: its text, or its label if it has an icon.
  ///   - id: the id of the popover.
  ///   - icon: the icon of the button in place of the text.
  ///   - content: the content of the popover, such as a ``Card`` of rows.
  public init(
    _ title: String, id: String, icon: Icon? = nil, @HTMLBuilder content: () -> HTML
  ) {
    self.id = id
    self.title = title
    self.icon = icon
    self.content = content()
  }

  /// Returns a menu of further actions, behind three dots.
  public static func menu(
    _ title: String, id: String, @HTMLBuilder content: () -> HTML
  ) -> Popover {
    Popover(title, id: id, icon: Icon("three-dots", text: "⋯"), content: content)
  }

  /// The button and the popover.
  public var html: HTML {
    button(
      .type(.button), .id("\(id)-button"), .class(icon == nil ? "sheet-button" : "icon-button"),
      .popoverTarget(id), icon == nil ? .none : .ariaLabel(title)
    ) { icon?.html ?? HTML(title) }
    div(.id(id), .class("sheet"), .popover(), .role(.group), .ariaLabel(title)) { content }
  }
}
