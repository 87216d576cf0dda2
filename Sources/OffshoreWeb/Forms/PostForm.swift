/// A form that changes something; it is posted with and without the script.
///
/// The browser leaves checking to the app, whose messages stand beside the fields. The first field, or
/// group of fields, with an error has the focus when the page comes back.
public struct PostForm: Component {
  private let address: String
  private let id: String?
  private let enterAction: String?
  private let draftAction: String?
  private let done: String?
  private let isRepeatable: Bool
  private let content: HTML

  /// Makes a form.
  /// - Parameters:
  ///   - address: Where it is posted.
  ///   - id: An id of the form, where it comes and goes as a row does.
  ///   - enterAction: What the Enter key does in a field, as the `action` of a ``SubmitButton``, where
  ///     the form's first button is another one.
  ///   - draftAction: What is sent as `action` to get the page with what was typed, and nothing done.
  ///     With it, what was typed outlives the tab; without it, only fields that are there anew keep it.
  ///   - done: A word that confirms success, such as “Saved”. The script shows it, and folds the part that has
  ///     the form.
  ///   - isRepeatable: Whether sending the form twice does the same as sending it once. The script sends such a
  ///     form again if the app was out of reach.
  ///   - content: Fields and buttons.
  public init(
    to address: String, id: String? = nil, enterAction: String? = nil, draftAction: String? = nil,
    done: String? = nil, isRepeatable: Bool = true, @HTMLBuilder content: () -> HTML
  ) {
    self.address = address
    self.id = id
    self.enterAction = enterAction
    self.draftAction = draftAction
    self.done = done
    self.isRepeatable = isRepeatable
    self.content = content()
  }

  /// The form.
  public var html: HTML {
    form(
      .method(.post), .action(address), .novalidate(), id.map { .id($0) } ?? .none,
      draftAction.map { .data("draft", $0) } ?? .none, done.map { .data("done", $0) } ?? .none,
      isRepeatable ? .none : .data("once", "")
    ) {
      // NB: Browsers press a form's first button for the Enter key, whatever that one does.
      if let enterAction {
        button(
          .type(.submit), .class("by-enter"), .name("action"), .value(enterAction), .tabindex(-1),
          .ariaHidden())
      }
      focused
    }
  }

  private var focused: HTML {
    var focused = content
    focused.updateFirst {
      $0["aria-invalid"] == "true" || $0["data-invalid"] != nil
    } _: {
      $0["autofocus"] = ""
    }
    return focused
  }
}

/// A value that a form sends without showing it.
public struct HiddenValue: Component {
  private let name: String
  private let value: String

  /// Names a value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The input.
  public var html: HTML { input(.type(.hidden), .name(name), .value(value)) }
}

/// A button that sends the form around it.
public struct SubmitButton: Component {
  /// How much a button stands out.
  public enum Style: String, Sendable {
    /// The thing to do.
    case primary
    /// One of several things.
    case plain
    /// Something that cannot be undone.
    case destructive
  }

  private let title: String
  private let style: Style
  private let label: String?
  private let action: String?
  private let way: SortRow.Way?

  /// Makes a button.
  /// - Parameters:
  ///   - title: What it says.
  ///   - style: How much it stands out.
  ///   - label: What it is called where that is more than it says, such as "Delete Kornati week".
  ///   - action: What it sends as `action`, where the form has several buttons.
  ///   - way: Where it moves the ``SortRow`` whose menu it is in. The handle of the row presses it, too.
  public init(
    _ title: String, style: Style = .primary, label: String? = nil, action: String? = nil,
    moving way: SortRow.Way? = nil
  ) {
    self.way = way
    self.title = title
    self.style = style
    self.label = label
    self.action = action
  }

  /// The button.
  public var html: HTML {
    button(
      .type(.submit), .class("button", style.rawValue), label.map { .ariaLabel($0) } ?? .none,
      action == nil ? .none : .name("action"), action.map { .value($0) } ?? .none,
      way.map { .data("move", $0.rawValue) } ?? .none
    ) { title }
  }
}

/// The button that sends a long form, which stays in sight at the lower edge.
public struct SaveBar: Component {
  private let button: SubmitButton

  /// Names the button.
  /// - Parameters:
  ///   - title: What it says.
  ///   - action: What it sends as `action`, where the form has several buttons.
  public init(_ title: String, action: String? = nil) {
    button = SubmitButton(title, action: action)
  }

  /// The button in a bar of its own, below all that the form has.
  public var html: HTML { div(.class("save")) { button } }
}
