/// Elements of a form that a person fills in or presses.
public protocol ControlElement: ElementKind {}
/// Elements with a value that is sent as it stands.
public protocol ValueElement: ElementKind {}

extension Attribute where Kind == FormElement {
  /// Where the form is sent; an address of a scheme that could run a script leads nowhere.
  public static func action(_ address: String) -> Attribute {
    Attribute("action", WebAddress.safe(address))
  }

  /// How the form is sent.
  public static func method(_ method: FormMethod) -> Attribute {
    Attribute("method", method.rawValue)
  }

  /// Whether the browser leaves checking to the app, whose messages stand beside the fields.
  public static func novalidate(_ isOn: Bool = true) -> Attribute {
    Attribute("novalidate", if: isOn)
  }
}

/// How a form is sent.
public enum FormMethod: String, Sendable {
  /// To look something up: the fields are part of the address.
  case get
  /// To change something.
  case post
}

extension Attribute where Kind: ControlElement {
  /// The name under which the value is sent.
  public static func name(_ name: String) -> Attribute { Attribute("name", name) }

  /// Whether it can neither be used nor is sent.
  public static func disabled(_ isDisabled: Bool = true) -> Attribute {
    Attribute("disabled", if: isDisabled)
  }

  /// Whether it must be filled in.
  public static func required(_ isRequired: Bool = true) -> Attribute {
    Attribute("required", if: isRequired)
  }

  /// What the browser may fill in by itself
  /// (<https://html.spec.whatwg.org/#autofilling-form-controls:-the-autocomplete-attribute>).
  public static func autocomplete(_ purpose: String) -> Attribute {
    Attribute("autocomplete", purpose)
  }

  /// A text that an empty field shows. Never the only label.
  public static func placeholder(_ text: String) -> Attribute { Attribute("placeholder", text) }

  /// How many characters it takes.
  public static func maxlength(_ count: Int) -> Attribute { Attribute("maxlength", "\(count)") }
}

extension Attribute where Kind: ValueElement {
  /// The value that is sent.
  public static func value(_ value: String) -> Attribute { Attribute("value", value) }
}

extension Attribute where Kind == InputElement {
  /// What is entered.
  public static func type(_ type: InputType) -> Attribute { Attribute("type", type.rawValue) }

  /// Whether it is ticked.
  public static func checked(_ isChecked: Bool = true) -> Attribute {
    Attribute("checked", if: isChecked)
  }

  /// The keys that a phone shows, such as `decimal`
  /// (<https://html.spec.whatwg.org/#input-modalities:-the-inputmode-attribute>).
  public static func inputmode(_ keys: String) -> Attribute { Attribute("inputmode", keys) }

  /// The least value, in the form in which the type writes values.
  public static func min(_ value: String) -> Attribute { Attribute("min", value) }

  /// The greatest value.
  public static func max(_ value: String) -> Attribute { Attribute("max", value) }

  /// The distance between two values; `any` allows all.
  public static func step(_ value: String) -> Attribute { Attribute("step", value) }
}

/// What an `input` takes.
public enum InputType: String, Sendable {
  case checkbox, color, date, email, hidden, month, number, password, radio, range, search, tel
  case text, time, url, week
  /// A date and a time of day, without a time zone.
  case localDateTime = "datetime-local"
}

extension Attribute where Kind == ButtonElement {
  /// What pressing does.
  public static func type(_ type: ButtonType) -> Attribute { Attribute("type", type.rawValue) }

  /// The id of the form that the button sends, if it is not within it.
  public static func form(_ id: String) -> Attribute { Attribute("form", id) }

  /// The address to which the button sends the form, in place of the form's own.
  static func formaction(_ address: String) -> Attribute {
    Attribute("formaction", WebAddress.safe(address))
  }

  /// The id of the element that the button opens and closes, which has `popover`.
  public static func popoverTarget(_ id: String) -> Attribute { Attribute("popovertarget", id) }
}

/// What pressing a button does.
public enum ButtonType: String, Sendable {
  /// Sends the form.
  case submit
  /// Nothing by itself.
  case button
}

extension Attribute where Kind == TextAreaElement {
  /// How many lines show.
  public static func rows(_ count: Int) -> Attribute { Attribute("rows", "\(count)") }
}

extension Attribute where Kind == OptionElement {
  /// Whether it is the chosen one.
  public static func selected(_ isSelected: Bool = true) -> Attribute {
    Attribute("selected", if: isSelected)
  }
}

extension Attribute where Kind == LabelElement {
  /// The id of the control that the text names.
  public static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
}

extension Attribute where Kind == GaugeElement {
  /// How much is done.
  public static func value(_ value: Int) -> Attribute { Attribute("value", "\(value)") }

  /// How much there is to do; 0 and less count as 1, which HTML demands.
  public static func max(_ value: Int) -> Attribute { Attribute("max", "\(Swift.max(1, value))") }
}
