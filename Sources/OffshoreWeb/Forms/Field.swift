/// A labelled field of a form, with a hint, an error, and the entered value.
///
/// ```swift
/// Field("Name", name: "name", value: form.name, error: errors.name)
/// Field("From", name: "start", value: form.start, kind: .input(.date))
/// ```
public struct Field: Component {
  /// The kind of a field.
  public enum Kind: Sendable {
    /// A field of one line, or the browser's control for the type, such as a date picker.
    ///
    /// Do not use it for three types: use a ``CheckField`` for ``InputType/checkbox``, a
    /// ``RadioField`` for ``InputType/radio``, and a ``HiddenValue`` for ``InputType/hidden``.
    case input(InputType)
    /// A decimal number. Phones show a numeric keyboard.
    ///
    /// The text is sent as the user has typed it, for example with a decimal comma. The app parses
    /// it.
    case decimal
    /// Several lines of text.
    case text(rows: Int)
    /// One of several values, in a drop-down menu.
    ///
    /// If the value of the field is not among them, it is an additional choice.
    case choice([Choice])
  }

  /// A value to choose from.
  public struct Choice: Sendable {
    /// The value that is sent.
    public let value: String
    let title: String

    /// Creates a choice with its value and title.
    public init(_ value: String, _ title: String) {
      self.value = value
      self.title = title
    }
  }

  private let frame: FieldFrame
  private let name: String
  private let value: String
  private let kind: Kind
  private let isRequired: Bool
  private let isFocused: Bool
  private let maximumLength: Int?
  private let autocomplete: String

  /// Creates a field.
  /// - Parameters:
  ///   - title: the label.
  ///   - name: the name under which the value is sent.
  ///   - value: the entered value, valid or not, or the chosen value.
  ///   - kind: the kind of the field.
  ///   - hint: a text that helps to fill in the field.
  ///   - error: the reason why the value is not valid.
  ///   - isRequired: whether the field must be filled in. Screen readers announce it; in a
  ///     ``PostForm``, the app validates it.
  ///   - isCompact: whether the visible label is only the placeholder of the empty field.
  ///   - isFocused: whether an input or a text of several lines has the focus when the browser loads the
  ///     page. In a ``PostForm``, a field with an error has it instead.
  ///   - maximumLength: the maximum number of UTF-16 code units that the browser accepts in an
  ///     input or a text of several lines.
  ///   - autocomplete: the kind of value that the browser may fill in; by default none.
  ///   - id: the id of the control, by default `field-` and the name. It is needed if another field
  ///     of the page has the same name.
  public init(
    _ title: String, name: String, value: String, kind: Kind = .input(.text), hint: String? = nil,
    error: String? = nil, isRequired: Bool = false, isCompact: Bool = false,
    isFocused: Bool = false, maximumLength: Int? = nil, autocomplete: String = "off",
    id: String? = nil
  ) {
    frame = FieldFrame(
      id: id ?? "field-\(name)", title: title, hint: hint, error: error, isCompact: isCompact)
    self.name = name
    self.value = value
    self.kind = kind
    self.isRequired = isRequired
    self.isFocused = isFocused
    self.maximumLength = maximumLength
    self.autocomplete = autocomplete
  }

  /// The label, the hint, the control, and the error.
  public var html: HTML { frame.html { control } }

  @HTMLBuilder private var control: HTML {
    switch kind {
    case .input(let type):
      input(
        .type(type), .value(value), frame.identifier(), .name(name), .required(isRequired),
        length(), placeholder(), .autocomplete(autocomplete), .autofocus(isFocused),
        frame.named(), frame.described(), frame.invalid())
    case .decimal:
      input(
        .type(.text), .inputmode("decimal"), .value(value), frame.identifier(), .name(name),
        .required(isRequired), placeholder(), .autocomplete(autocomplete), .autofocus(isFocused),
        frame.named(), frame.described(), frame.invalid())
    case .text(let rows):
      textarea(
        .rows(rows), frame.identifier(), .name(name), .required(isRequired), length(),
        placeholder(), .autocomplete(autocomplete), .autofocus(isFocused), frame.named(),
        frame.described(), frame.invalid()
      ) { value }
    case .choice(let choices):
      select(
        frame.identifier(), .name(name), .required(isRequired), .autocomplete(autocomplete),
        frame.named(), frame.described(), frame.invalid()
      ) { options(choices) }
    }
  }

  /// Returns the options. A value that is not among the choices remains until another one is
  /// chosen.
  @HTMLBuilder private func options(_ choices: [Choice]) -> HTML {
    if !choices.contains(where: { $0.value == value }) {
      option(.value(value), .selected()) { value }
    }
    for choice in choices {
      option(.value(choice.value), .selected(choice.value == value)) { choice.title }
    }
  }

  private func placeholder<Kind: ControlElement>() -> Attribute<Kind> {
    frame.isCompact ? .placeholder(frame.title) : .none
  }

  private func length<Kind: ControlElement>() -> Attribute<Kind> {
    maximumLength.map { .maxlength($0) } ?? .none
  }
}

/// A checkbox, followed by its label. It sends nothing if it is not ticked.
public struct CheckField: Component {
  private let frame: FieldFrame
  private let name: String
  private let isOn: Bool

  /// Creates a checkbox that sends `on` if it is ticked.
  /// - Parameters:
  ///   - title: the label.
  ///   - name: the name under which the value is sent.
  ///   - isOn: whether it is ticked at first.
  ///   - hint: a text that helps to choose.
  ///   - error: the reason why the choice is not valid.
  ///   - id: the id of the checkbox, by default `field-` and the name. It is needed if another
  ///     field of the page has the same name.
  public init(
    _ title: String, name: String, isOn: Bool, hint: String? = nil, error: String? = nil,
    id: String? = nil
  ) {
    frame = FieldFrame(id: id ?? "field-\(name)", title: title, hint: hint, error: error)
    self.name = name
    self.isOn = isOn
  }

  /// The box, the label, the hint, and the error.
  public var html: HTML {
    div(.class("field", "check")) {
      input(
        .type(.checkbox), .checked(isOn), frame.identifier(), .name(name), frame.described(),
        frame.invalid())
      frame.labelled
      frame.remarks
    }
  }
}

/// A group of fields under a legend, with a hint and an error about all of them.
public struct FieldGroup: Component {
  private let frame: FieldFrame
  private let hasBorder: Bool
  private let content: HTML

  /// Creates a group.
  /// - Parameters:
  ///   - title: the legend.
  ///   - id: the id of the group; the ids of the hint and of the error begin with it.
  ///   - hint: a hint below the legend.
  ///   - error: an error below the hint. When the page is shown again, the group has the focus
  ///     unless an earlier field has an error.
  ///   - hasBorder: whether a border surrounds the fields.
  public init(
    _ title: String, id: String, hint: String? = nil, error: String? = nil, hasBorder: Bool = true,
    @HTMLBuilder content: () -> HTML
  ) {
    frame = FieldFrame(id: id, title: title, hint: hint, error: error)
    self.hasBorder = hasBorder
    self.content = content()
  }

  /// The legend, the hint, the error, and the fields.
  public var html: HTML {
    let isInvalid = frame.error != nil
    // NB: `aria-invalid` is not allowed on groups.
    fieldset(
      frame.identifier(), hasBorder ? .none : .class("plain"), frame.described(),
      isInvalid ? .tabindex(-1) : .none, isInvalid ? .data("invalid", "true") : .none
    ) {
      legend { frame.title }
      frame.remarks
      content
    }
  }
}

/// The elements around a control, and the attributes by which the control refers to them.
struct FieldFrame {
  let id: String
  let title: String
  let hint: String?
  let error: String?
  /// Whether the label is only an attribute of the control.
  var isCompact = false

  func html(@HTMLBuilder _ control: () -> HTML) -> HTML {
    div(.class("field")) {
      if !isCompact { labelled }
      control()
      remarks
    }
  }

  var labelled: HTML { label(.for(id)) { title } }

  @HTMLBuilder var remarks: HTML {
    if let hint { p(.id("\(id)-hint"), .class("hint")) { hint } }
    if let error { p(.id("\(id)-error"), .class("error")) { error } }
  }

  func identifier<Kind: ElementKind>() -> Attribute<Kind> { .id(id) }

  func named<Kind: ElementKind>() -> Attribute<Kind> { isCompact ? .ariaLabel(title) : .none }

  func described<Kind: ElementKind>() -> Attribute<Kind> {
    // NB: The error comes first, because the user needs it when the field receives the focus.
    .ariaDescribedBy(
      [error.map { _ in "\(id)-error" }, hint.map { _ in "\(id)-hint" }].compactMap(\.self))
  }

  func invalid<Kind: ElementKind>() -> Attribute<Kind> { .ariaInvalid(error != nil) }
}
