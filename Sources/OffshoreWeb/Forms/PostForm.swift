/// A form that changes data. The script posts it, or the browser if there is no script.
///
/// A form with several buttons has a field `action`, whose value depends on the pressed button.
///
/// The browser does not validate it. The app does, and its messages are beside the fields. When the
/// page is shown again, the first field or group with an error has the focus.
public struct PostForm: Component {
  private let address: String
  private let id: String?
  private let enterAction: String?
  private let draftAction: String?
  private let keepAction: String?
  private let confirmation: String?
  private let nextField: String?
  private let isRepeatable: Bool
  private let carriesFiles: Bool
  private let content: HTML

  /// Creates a form.
  ///
  /// A draft is the entered values of a form that are not stored yet. The app ends `draftAction`
  /// with ``Outcome/drafted``, and shows the posted values in the fields. The script posts a draft
  /// in three cases:
  /// 1. The form has entered text and the page is fetched again, for example because the device has
  ///    closed the tab.
  /// 2. A row of a ``SortList`` was dragged in the form. This case needs `enterAction`, too.
  /// 3. The user edits a form that shows an error. This case needs `enterAction`, too.
  ///
  /// Without `draftAction`, when the page is fetched again, entered text remains only in fields
  /// that the new page has, too, and in loaded ``LazyDetails``.
  ///
  /// - Parameters:
  ///   - address: the address to which it is posted.
  ///   - id: an id of the form, so that a live page can add and remove it separately.
  ///   - enterAction: the value of `action` if the user presses Enter in a field of one line. By
  ///     default it is that of the form's first button, which browsers press then. In the text
  ///     fields of a ``SortRow``, the Enter key has another effect, which is described there.
  ///   - draftAction: the value of `action` with which the script posts a draft.
  ///   - keepAction: the value of `action` with which the script posts the texts of the form shortly
  ///     after they were typed, so that they survive the browser. The app stores them and ends the
  ///     action with ``Outcome/done``, shows the stored text in the field of each new page, and
  ///     removes it when the form is saved. A `KeptText`, of `OffshorePresentation`, does that. After
  ///     ``Outcome/done`` of another action the fields become empty, except for text that was typed
  ///     since. Without the script nothing is posted. A form with `draftAction` has none.
  ///   - confirmation: a word that confirms success, such as “Saved”. After ``Outcome/done``, the
  ///     script shows it as a notice for four seconds, and collapses the ``details`` around the
  ///     form if there is one. It does so after ``Outcome/drafted``, too, although nothing is stored
  ///     then, so do not pass a confirmation for a form with `draftAction`. The word is not shown
  ///     after other outcomes, without the script, or if the tab was closed.
  ///   - nextField: the id of the field, in another form of the page, to which the action leads, such as that
  ///     of an answer. The script moves the focus there, unless the outcome is ``Outcome/invalid``. Without
  ///     the script, a ``Field`` that is focused in the page of an ``Outcome/drafted`` has the same effect.
  ///   - isRepeatable: whether posting the form twice has the same result as posting it once. If
  ///     the connection fails during a post, the app may have received the form. If `true`, the
  ///     script posts the form again as soon as the app can be reached. Pass `false` if a second post would have
  ///     another effect, such as a second entry; the page then shows ``PageTexts/notSent``.
  ///   - carriesFiles: whether the form has a ``FileField``. If `false`, no files are sent. The
  ///     script sends none with a draft, either; they remain chosen.
  ///   - content: the fields and buttons.
  /// - Precondition: The form has at most one of `draftAction` and `keepAction`.
  public init(
    to address: String, id: String? = nil, enterAction: String? = nil, draftAction: String? = nil,
    keepAction: String? = nil, confirmation: String? = nil, nextField: String? = nil,
    isRepeatable: Bool = true, carriesFiles: Bool = false, @HTMLBuilder content: () -> HTML
  ) {
    precondition(
      draftAction == nil || keepAction == nil,
      "A form is posted as a draft or its texts are stored. Leave out `draftAction` or `keepAction`."
    )
    self.keepAction = keepAction
    self.address = address
    self.id = id
    self.enterAction = enterAction
    self.draftAction = draftAction
    self.confirmation = confirmation
    self.nextField = nextField
    self.isRepeatable = isRepeatable
    self.carriesFiles = carriesFiles
    self.content = content()
  }

  /// The form.
  public var html: HTML {
    form(
      .method(.post), .action(address), .multipart(carriesFiles), .novalidate(),
      id.map { .id($0) } ?? .none,
      draftAction.map { .data("draft", $0) } ?? .none,
      keepAction.map { .data("keep", $0) } ?? .none,
      confirmation.map { .data("done", $0) } ?? .none,
      nextField.map { .data("focus", $0) } ?? .none,
      isRepeatable ? .none : .data("once", "")
    ) {
      // NB: For the Enter key, browsers activate a form's first button, whatever its action is.
      if let enterAction {
        button(
          .type(.submit), .class("by-enter"), .name("action"), .value(enterAction), .tabindex(-1),
          .ariaHidden())
      }
      focused
    }
  }

  /// The content, in which the first field or group with an error has the focus.
  private var focused: HTML {
    var focused = content
    focused.updateFirst {
      $0["autofocus"] != nil
    } _: {
      $0["autofocus"] = nil
    }
    let hasError = focused.updateFirst {
      $0["aria-invalid"] == "true" || $0["data-invalid"] != nil
    } _: {
      $0["autofocus"] = ""
    }
    return hasError ? focused : content
  }
}

/// A value that a form sends without showing it.
public struct HiddenValue: Component {
  private let name: String
  private let value: String

  /// Creates a value with a name.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The input.
  public var html: HTML { input(.type(.hidden), .name(name), .value(value)) }
}

/// A button that submits its form.
public struct SubmitButton: Component {
  /// The prominence of a button.
  public enum Style: String, Sendable {
    /// The main action.
    case primary
    /// One of several actions.
    case plain
    /// An action that cannot be undone.
    case destructive
  }

  private let title: String
  private let style: Style
  private let label: String?
  private let action: String?
  private let direction: SortRow.Direction?

  /// Creates a button.
  /// - Parameters:
  ///   - title: the visible text.
  ///   - style: the prominence.
  ///   - label: the accessible name, if it has to say more than the title, such as "Delete Kornati
  ///     week"; by default the title.
  ///   - action: the value of the field `action`, if the form has several buttons.
  ///   - direction: the direction, if the button is in the menu of a ``SortRow`` and moves that row
  ///     by one place. An arrow key on the handle of the row presses the button, too.
  public init(
    _ title: String, style: Style = .primary, label: String? = nil, action: String? = nil,
    moving direction: SortRow.Direction? = nil
  ) {
    self.direction = direction
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
      direction.map { .data("move", $0.rawValue) } ?? .none
    ) { title }
  }
}

/// A bar with the button of a long form. It stays visible at the lower edge of the window.
public struct SaveBar: Component {
  private let button: SubmitButton

  /// Creates the bar.
  /// - Parameters:
  ///   - title: the visible text of the button.
  ///   - action: the value of the field `action`, if the form has several buttons.
  public init(_ title: String, action: String? = nil) {
    button = SubmitButton(title, action: action)
  }

  /// The button in a bar of its own, below the rest of the form.
  public var html: HTML { div(.class("save")) { button } }
}
