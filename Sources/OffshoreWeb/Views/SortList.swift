/// A list whose rows can be moved by dragging a handle, by its arrow keys, or by buttons in their
/// menus.
///
/// After a row was dragged, the form with `draftAction` around the rows is posted. Its fields are
/// sent in the order of the rows. If the rows have forms of their own, each has a hidden field
/// `place`: the script sets it to the index of the row and posts the form of that field.
public struct SortList: Component {
  private let id: String
  private let kind: String
  private let moved: String
  private let isCard: Bool
  private let content: HTML

  /// Creates a list.
  /// - Parameters:
  ///   - id: the id of the list.
  ///   - kind: the kind of the rows. A row can be dragged to another list of its form with the same
  ///     kind. The names of its fields begin with the id of its list, without `rows-`.
  ///   - moved: the sentence after a move: “Now {n} of {m}.”
  ///   - isCard: whether a frame surrounds the rows.
  ///   - content: the rows, each a ``SortRow``.
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

/// A row with a handle that moves it, and a menu that expands below it.
public struct SortRow: Component {
  /// The direction in which a button moves a row.
  public enum Way: String, Sendable {
    /// Towards the first row.
    case up
    /// Towards the last row.
    case down
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

  /// Creates a row.
  /// - Parameters:
  ///   - id: the id of the row.
  ///   - label: the name of the row, such as “Item 3”.
  ///   - handle: the label of the handle.
  ///   - menu: the label of the button that expands the menu.
  ///   - marks: short signs for content in the menu. The label of its button has to name that
  ///     content, too.
  ///   - isOpen: whether the menu is open because of an error in it.
  ///   - content: the line of the row.
  ///   - folded: the content of the menu.
  ///   - inner: content below the menu, such as nested rows.
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
      // NB: The handle does nothing without the script, so the stylesheet hides it then.
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
  /// Sets whether the script opens the element when a form is refused, because an error is in it.
  package static func neededOpen(_ isNeeded: Bool) -> Attribute {
    isNeeded ? .data("open", "") : .none
  }
}
