/// A list whose rows can be moved: by dragging a handle, by arrow keys on the handle, or by buttons
/// in the menus of the rows.
///
/// The list is either in a form or has rows with forms:
/// - If there is a form around the list, it must be a ``PostForm`` with `draftAction` and
///   `enterAction`. After a row was dragged, the script posts it with `draftAction`. Its fields are
///   sent in the order of the rows.
/// - If there is no form around the list, each row has a form with a hidden field `place`, such as
///   the form of a button that moves it. After a row was dragged, the script sets the first such
///   field of the row to its new index, which begins with 0, and posts the form of that field.
///
/// In a form, each list and each row has a prefix. Their ids and the names of the fields contain
/// it. The prefix of a row is that of its list, a period, and a key of the row, such as `7`. The
/// prefix of a list that is nested in a row is that of the row, a period, and a name. For a list
/// with the prefix `items`:
///
/// | part | prefix | id or name |
/// | --- | --- | --- |
/// | list | `items` | `rows-items` |
/// | row of the list | `items.7` | `row-items.7` |
/// | field in that row | | `items.7.title` |
/// | list nested in that row | `items.7.parts` | `rows-items.7.parts` |
/// | row of the nested list | `items.7.parts.2` | `row-items.7.parts.2` |
/// | field in that row | | `items.7.parts.2.title` |
public struct SortList: Component {
  private let id: String
  private let group: String
  private let moveMessage: String
  private let isCard: Bool
  private let content: HTML

  /// Creates a list.
  /// - Parameters:
  ///   - id: the id of the list. In a form, it is `rows-` followed by a prefix, such as
  ///     `rows-items`. The names of all fields in the rows begin with the prefix, such as
  ///     `items.7.title`. Without a form around the list, any unique id is suitable.
  ///   - group: the group of the list. A row can be dragged to another list of its form in the same
  ///     group, for example from one nested list to another. The prefixes in the row then begin with
  ///     that of the other list: `items.7.parts.2` becomes `items.8.parts.2`. Without a form around the list, pass a group that no
  ///     other list of the page has.
  ///   - moveMessage: the message after a move, such as “Now {n} of {m}.” The script replaces `{n}`
  ///     by the position of the row, which begins with 1, and `{m}` by the number of rows.
  ///   - isCard: whether a frame surrounds the rows.
  ///   - content: the rows, each a ``SortRow``.
  public init(
    id: String, group: String, moveMessage: String, isCard: Bool = true,
    @HTMLBuilder content: () -> HTML
  ) {
    self.id = id
    self.group = group
    self.moveMessage = moveMessage
    self.isCard = isCard
    self.content = content()
  }

  /// The rows.
  public var html: HTML {
    div(
      .id(id), .class("entries"), .class("card", if: isCard && !content.isEmpty),
      .data("kind", group), .data("moved", moveMessage)
    ) { content }
  }
}

/// A row with a handle that moves it, and a menu that expands below it.
///
/// In a ``PostForm`` with `enterAction`, the script handles two keys in the text fields of one line
/// that are in the `content` of a row. A field in a nested row belongs to that row, the innermost
/// one. For a field of the row with the id `row-items.7`:
/// - The Enter key moves the focus to the next such field of the row, including those of its nested
///   rows. In the last one, it posts the form with the `action` `add:items.7`.
/// - If all text fields of the row are empty, the Backspace key posts the form with the `action`
///   `remove:items.7`. In the first row of a list, it does not.
public struct SortRow: Component {
  /// The direction in which a button moves a row.
  public enum Direction: String, Sendable {
    /// Towards the first row.
    case up
    /// Towards the last row.
    case down
  }

  private let id: String
  private let label: String
  private let handleLabel: String
  private let menuLabel: String
  private let menuSigns: [String]
  private let isOpen: Bool
  private let content: HTML
  private let menuContent: HTML
  private let nested: HTML

  /// Creates a row.
  /// - Parameters:
  ///   - id: the id of the row. In a form, it is `row-`, the prefix of its list, a period, and a
  ///     key of the row that has no periods: `row-items.7` for the key `7`. Without a form around
  ///     the list, it is any unique id without periods.
  ///   - label: the name of the row, such as “Item 3”.
  ///   - handleLabel: the label of the handle.
  ///   - menuLabel: the label of the button that expands the menu.
  ///   - menuSigns: short signs, such as “✎”, which show that fields in the menu are filled in.
  ///     Assistive technology ignores them, so `menuLabel` has to name these fields, too.
  ///   - isOpen: whether the menu is open because of an error in it.
  ///   - content: the part of the row that is always visible.
  ///   - menuContent: the content of the menu.
  ///   - nested: content below the menu. Nested rows need a ``SortList`` of their own. In a form,
  ///     its prefix is that of the row, a period, and a name, such as `items.7.parts`.
  public init(
    id: String, label: String, handleLabel: String, menuLabel: String, menuSigns: [String] = [],
    isOpen: Bool = false, @HTMLBuilder content: () -> HTML, @HTMLBuilder menuContent: () -> HTML,
    @HTMLBuilder nested: () -> HTML = { HTML() }
  ) {
    self.id = id
    self.label = label
    self.handleLabel = handleLabel
    self.menuLabel = menuLabel
    self.menuSigns = menuSigns
    self.isOpen = isOpen
    self.content = content()
    self.menuContent = menuContent()
    self.nested = nested()
  }

  /// The row.
  public var html: HTML {
    div(.id(id), .class("entry"), .role(.group), .ariaLabel(label)) {
      // NB: The handle does nothing without the script, so the stylesheet hides it then.
      button(.type(.button), .class("handle"), .id("\(id)-handle"), .ariaLabel(handleLabel)) {}
      div(.class("fields")) { content }
      if !menuSigns.isEmpty {
        span(.class("flags"), .ariaHidden()) { menuSigns.joined(separator: " ") }
      }
      details(.id("\(id)-more"), .class("more"), .open(isOpen), .opensOnError(isOpen)) {
        summary(.class("icon-button"), .ariaLabel(menuLabel)) {}
        menuContent
      }
      nested
    }
  }
}

extension Attribute where Kind == DetailsElement {
  /// Sets whether the script opens the element when a form is refused, because an error is in it.
  package static func opensOnError(_ isNeeded: Bool) -> Attribute {
    isNeeded ? .data("open", "") : .none
  }
}
