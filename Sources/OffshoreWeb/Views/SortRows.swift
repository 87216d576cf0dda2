/// Rows that can be moved: dragged by a handle, by its arrow keys, or by the buttons of their menus.
///
/// A form with `draftAction` around the rows is posted after a row was dragged. Its fields are sent in the order
/// of the rows. Rows with a form of their own have a hidden field `place`, which gets the place of the row, from
/// 0, and the form of that field is posted.
public struct SortList: Component {
  private let id: String
  private let kind: String
  private let moved: String
  private let isCard: Bool
  private let content: HTML

  /// Puts rows together.
  /// - Parameters:
  ///   - id: The id of the list.
  ///   - kind: The kind of the rows. A row can be dragged to another list of its form with the same kind, and the
  ///     names of its fields begin with the id of that list, without `rows-`.
  ///   - moved: The sentence after a move: “Now {n} of {m}.”
  ///   - isCard: Whether a frame surrounds the rows.
  ///   - content: The rows, each a ``SortRow``.
  public init(
    id: String, kind: String, moved: String, isCard: Bool = true, @HTMLBuilder content: () -> HTML
  ) {
    self.id = id
    self.kind = kind
    self.moved = moved
    self.isCard = isCard
    self.content = content()
  }

  /// The rows.
  public var html: HTML {
    div(
      .id(id), .class("entries"), .class("card", if: isCard && !content.isEmpty),
      .data("kind", kind), .data("moved", moved)
    ) { content }
  }
}

/// A row with a handle that moves it, and a menu that unfolds below it.
public struct SortRow: Component {
  /// Where a button moves a row.
  public enum Way: String, Sendable {
    case up, down
  }

  private let id: String
  private let label: String
  private let handle: String
  private let menu: String
  private let marks: [String]
  private let isOpen: Bool
  private let content: HTML
  private let folded: HTML
  private let inner: HTML

  /// Makes a row.
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - label: The name of the row, such as “Item 3”.
  ///   - handle: The label of the handle.
  ///   - menu: The label of the button that unfolds the menu.
  ///   - marks: Short signs of content in the menu. The label of its button says the same.
  ///   - isOpen: Whether the menu has to be open, because of an error in it.
  ///   - content: The line of the row.
  ///   - folded: The content of the menu.
  ///   - inner: Content below the menu, such as rows of the row.
  public init(
    id: String, label: String, handle: String, menu: String, marks: [String] = [],
    isOpen: Bool = false, @HTMLBuilder content: () -> HTML, @HTMLBuilder folded: () -> HTML,
    @HTMLBuilder inner: () -> HTML = { HTML() }
  ) {
    self.id = id
    self.label = label
    self.handle = handle
    self.menu = menu
    self.marks = marks
    self.isOpen = isOpen
    self.content = content()
    self.folded = folded()
    self.inner = inner()
  }

  /// The row.
  public var html: HTML {
    div(.id(id), .class("entry"), .role(.group), .ariaLabel(label)) {
      // NB: Without the script the style sheet hides the handle, which then can do nothing.
      button(.type(.button), .class("handle"), .id("\(id)-handle"), .ariaLabel(handle)) {}
      div(.class("fields")) { content }
      if !marks.isEmpty { span(.class("flags"), .ariaHidden()) { marks.joined(separator: " ") } }
      details(.id("\(id)-more"), .class("more"), .open(isOpen), .neededOpen(isOpen)) {
        summary(.class("icon-button"), .ariaLabel(menu)) {}
        folded
      }
      inner
    }
  }
}

extension Attribute where Kind == DetailsElement {
  /// Whether the script opens the element when a form is refused, because an error is in it.
  public static func neededOpen(_ isNeeded: Bool) -> Attribute {
    isNeeded ? .data("open", "") : .none
  }
}
