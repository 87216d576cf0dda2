/// A kind of element that the user fills in or presses in a form: ``InputElement`` and
/// ``ButtonElement``.
///
/// It accepts the attributes `name`, `autocomplete` and `placeholder`.
public protocol ControlElement: ElementKind {}

/// A kind of element that accepts the attribute `value`: ``InputElement`` and ``ButtonElement``.
public protocol ValueElement: ElementKind {}

extension Attribute where Kind: ControlElement {
  /// Sets the name under which the value is sent.
  public static func name(_ name: String) -> Attribute { Attribute("name", name) }

  /// Sets whether the control cannot be used and is not sent.
  static func disabled(_ isDisabled: Bool = true) -> Attribute {
    Attribute("disabled", if: isDisabled)
  }

  /// Sets whether the control must be filled in.
  static func required(_ isRequired: Bool = true) -> Attribute {
    Attribute("required", if: isRequired)
  }

  /// Sets the kind of value that the browser may fill in
  /// (<https://html.spec.whatwg.org/#autofilling-form-controls:-the-autocomplete-attribute>).
  public static func autocomplete(_ purpose: String) -> Attribute {
    Attribute("autocomplete", purpose)
  }

  /// Sets whether the control has the focus when the browser loads the page.
  static func autofocus(_ isFocused: Bool) -> Attribute { Attribute("autofocus", if: isFocused) }

  /// Sets the text of an empty field, which must not be its only label.
  public static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", text) }

  /// Sets the maximum number of characters that the field accepts.
  static func maxlength(_ count: Int) -> Attribute { Attribute("maxlength", "\(count)") }
}

extension Attribute where Kind: ValueElement {
  /// Sets the value that is sent.
  public static func value(_ value: String) -> Attribute { Attribute("value", value) }
}

// MARK: - Forms

/// The kind of `form`, which accepts the attributes `action`, `method` and `novalidate`.
public enum FormElement: ElementKind {}

/// The element `form`: fields and buttons that are sent together.
///
/// A ``PostForm`` is a form that changes data.
public let form = Tag<FormElement>("form")
let fieldset = Tag<PlainElement>("fieldset")
let legend = Tag<PlainElement>("legend")

extension Attribute where Kind == FormElement {
  /// Sets the address to which the form is sent.
  ///
  /// The address is relative or has the scheme `http`, `https`, `mailto` or `tel`. Any other scheme
  /// could run a script, so the address is replaced by `about:invalid`.
  ///
  /// If the app is mounted, its mount path is put before an address that begins with `/`, such as
  /// `/charters`. An address that begins with `//`, `/assets/` or `/live/` does not change.
  public static func action(_ address: String) -> Attribute {
    Attribute("action", WebAddress.safe(address))
  }

  /// Sets the method by which the form is sent.
  public static func method(_ method: FormMethod) -> Attribute {
    Attribute("method", method.rawValue)
  }

  /// Sets whether the browser sends the form without validation. The app validates the fields then.
  public static func novalidate(_ isOn: Bool = true) -> Attribute {
    Attribute("novalidate", if: isOn)
  }

  /// Sets whether the form is sent as `multipart/form-data`, the encoding with files.
  static func multipart(_ isOn: Bool = true) -> Attribute {
    isOn ? Attribute("enctype", "multipart/form-data") : .none
  }
}

/// The method by which a form is sent.
public enum FormMethod: String, Sendable {
  /// Retrieves a page. The fields are part of the address.
  case get
  /// Changes data.
  case post
}

// MARK: - Fields

/// The kind of `input`, which accepts the attribute `type` and those of ``ControlElement`` and
/// ``ValueElement``.
public enum InputElement: ControlElement, ValueElement {}
enum TextAreaElement: ControlElement {}
enum SelectElement: ControlElement {}
enum OptionElement: ValueElement {}
enum LabelElement: ElementKind {}
enum GaugeElement: ElementKind {}

/// The element `input`: a field of one line or another control, which needs an accessible name.
///
/// Prefer a ``Field``, a ``CheckField`` or a ``HiddenValue``. Use `input` for a control without a
/// visible label, such as the search field of a list, and name it by ``Attribute/ariaLabel(_:)``.
public let input = VoidTag<InputElement>("input")
let textarea = Tag<TextAreaElement>("textarea")
let select = Tag<SelectElement>("select")
let option = Tag<OptionElement>("option")
let label = Tag<LabelElement>("label")
let progress = Tag<GaugeElement>("progress")

extension Attribute where Kind == InputElement {
  /// Sets the type of the value.
  public static func type(_ type: InputType) -> Attribute { Attribute("type", type.rawValue) }

  /// Sets whether it is ticked.
  static func checked(_ isChecked: Bool = true) -> Attribute {
    Attribute("checked", if: isChecked)
  }

  /// Sets the type of the value to a file.
  static func file() -> Attribute { Attribute("type", "file") }

  /// Sets the types of files to choose from; omitted if empty, for files of any type
  /// (<https://html.spec.whatwg.org/#attr-input-accept>).
  static func accept(_ types: [String]) -> Attribute {
    types.isEmpty ? .none : Attribute("accept", types.joined(separator: ","))
  }

  /// Sets whether several files can be chosen.
  static func multiple(_ isOn: Bool = true) -> Attribute { Attribute("multiple", if: isOn) }

  /// Sets the keyboard that a phone shows, such as `decimal`
  /// (<https://html.spec.whatwg.org/#input-modalities:-the-inputmode-attribute>).
  static func inputmode(_ keys: String) -> Attribute { Attribute("inputmode", keys) }
}

/// The type of the value of an `input`
/// (<https://html.spec.whatwg.org/#attr-input-type>), which determines its control.
///
/// A control for files is a ``FileField``.
public enum InputType: String, Sendable {
  /// A text of one line. For an email address, a telephone number or a URL, phones show a suitable
  /// keyboard; a password is not legible.
  case text, email, password, tel, url
  /// A text to search for. While the user types, the script fetches the page at the address of the
  /// form, which has the method ``FormMethod/get``, and shows it.
  case search
  /// A number, typed (`number`) or chosen on a scale (`range`).
  case number, range
  /// A date, a month, a week or a time of day, with the browser's control for it.
  case date, month, week, time
  /// A colour.
  case color
  /// A checkbox, a radio button, or a value that is not shown. Use a component in place of an
  /// `input` of such a type: a ``CheckField`` for `checkbox`, a ``RadioField`` for
  /// `radio`, and a ``HiddenValue`` for `hidden`.
  case checkbox, radio, hidden
  /// A date and a time of day, without a time zone.
  case localDateTime = "datetime-local"
}

extension Attribute where Kind == TextAreaElement {
  /// Sets the number of visible lines.
  static func rows(_ count: Int) -> Attribute { Attribute("rows", "\(count)") }
}

extension Attribute where Kind == OptionElement {
  /// Sets whether the option is chosen.
  static func selected(_ isSelected: Bool = true) -> Attribute {
    Attribute("selected", if: isSelected)
  }
}

extension Attribute where Kind == LabelElement {
  /// Sets the id of the control that the label names.
  static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
}

extension Attribute where Kind == GaugeElement {
  /// Sets the completed amount.
  static func value(_ value: Int) -> Attribute { Attribute("value", "\(value)") }

  /// Sets the total amount. Numbers below 1 become 1, as HTML requires.
  static func max(_ value: Int) -> Attribute { Attribute("max", "\(Swift.max(1, value))") }
}

// MARK: - Buttons

/// The kind of `button`, which accepts the attribute `type` and those of ``ControlElement`` and
/// ``ValueElement``.
public enum ButtonElement: ControlElement, ValueElement {}

/// The element `button`, whose effect depends on its type.
///
/// A ``SubmitButton`` submits its form.
public let button = Tag<ButtonElement>("button")

extension Attribute where Kind == ButtonElement {
  /// Sets the effect of pressing the button.
  public static func type(_ type: ButtonType) -> Attribute { Attribute("type", type.rawValue) }

  /// Sets the id of the form that the button submits, if the button is not in it.
  static func form(_ id: String) -> Attribute { Attribute("form", id) }

  /// Sets the address to which the button submits the form, in place of the form's own.
  static func formaction(_ address: String) -> Attribute {
    Attribute("formaction", WebAddress.safe(address))
  }

  /// Sets the id of the popover that the button opens and closes.
  static func popoverTarget(_ id: String) -> Attribute { Attribute("popovertarget", id) }
}

/// The effect of pressing a button.
public enum ButtonType: String, Sendable {
  /// Submits the form.
  case submit
  /// No effect by itself.
  case button
}
