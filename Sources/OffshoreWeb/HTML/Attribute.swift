/// An attribute for elements of one kind. An element with an attribute of another kind does not
/// compile.
public struct Attribute<Kind: ElementKind>: Sendable {
  /// The name and value, or `nil` if the attribute is left out.
  let pair: HTML.Pair?

  private init(pair: HTML.Pair?) { self.pair = pair }

  init(_ name: String, _ value: String) { pair = HTML.Pair(name: name, value: value) }

  /// Creates an attribute without a value, such as `required`, or none if it is not present.
  init(_ name: String, if isPresent: Bool) {
    pair = isPresent ? HTML.Pair(name: name, value: nil) : nil
  }

  /// No attribute, for the other branch of a condition.
  public static var none: Attribute { Attribute(pair: nil) }

  // MARK: - All elements

  /// Sets the id of the element, to which links and labels refer. It is unique on the page.
  ///
  /// When a live page changes, an element with an id can be changed, added, or removed separately.
  public static func id(_ value: String) -> Attribute { Attribute("id", value) }

  /// Adds classes. The element has the classes of all its attributes of this name.
  public static func `class`(_ names: String...) -> Attribute {
    Attribute("class", names.joined(separator: " "))
  }

  /// Adds a class if a condition is true.
  public static func `class`(_ name: String, if isPresent: Bool) -> Attribute {
    isPresent ? Attribute("class", name) : .none
  }

  /// Sets the language of the content, as a [tag](https://www.rfc-editor.org/rfc/rfc5646).
  static func lang(_ tag: String) -> Attribute { Attribute("lang", tag) }

  /// Sets the tooltip, which must not be the only place of important content.
  public static func title(_ text: String) -> Attribute { Attribute("title", text) }

  /// Sets whether the element is hidden, both on the screen and from assistive technology.
  public static func hidden(_ isHidden: Bool = true) -> Attribute {
    Attribute("hidden", if: isHidden)
  }

  /// Sets the order of the focus: 0 for the order of the page, -1 for focus by script or link only.
  static func tabindex(_ index: Int) -> Attribute { Attribute("tabindex", "\(index)") }

  /// Sets a value for scripts: the attribute `data-` with the name.
  package static func data(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("data-\(name)", value)
  }

  /// Makes the element a popover, which a button with its id as `popovertarget` opens
  /// (<https://html.spec.whatwg.org/#the-popover-attribute>).
  static func popover() -> Attribute { Attribute("popover", if: true) }

  // MARK: - Assistive technology (<https://www.w3.org/TR/wai-aria-1.2/>)

  /// Sets the role of the element. Prefer an HTML element that has the role without it.
  public static func role(_ role: ElementRole) -> Attribute { Attribute("role", role.rawValue) }

  /// Sets the accessible name, if no visible text gives it.
  public static func ariaLabel(_ text: String) -> Attribute { Attribute("aria-label", text) }

  /// Sets the ids of the elements whose texts are the accessible name of this element.
  public static func ariaLabelledBy(_ ids: String...) -> Attribute {
    list("aria-labelledby", ids)
  }

  /// Sets the ids of the elements that describe it, such as a hint and an error; omitted if empty.
  static func ariaDescribedBy(_ ids: [String]) -> Attribute { list("aria-describedby", ids) }

  /// Makes a screen reader read changes of the content when it pauses.
  static func ariaLivePolite() -> Attribute { Attribute("aria-live", "polite") }

  /// Marks the current element of a set.
  public static func ariaCurrent(_ current: CurrentKind) -> Attribute {
    Attribute("aria-current", current.rawValue)
  }

  /// Sets the text that is read out when the script adds the element as a new row of a list that
  /// shows a window of its rows; by default its own text. Nothing is read out if it is empty, as for
  /// a row that the user has just added.
  public static func announcement(_ text: String) -> Attribute { Attribute("data-said", text) }

  /// Sets whether assistive technology ignores the element.
  public static func ariaHidden(_ isHidden: Bool = true) -> Attribute {
    isHidden ? Attribute("aria-hidden", "true") : .none
  }

  /// Sets whether the entered value breaks a rule; omitted if it does not.
  static func ariaInvalid(_ isInvalid: Bool) -> Attribute {
    isInvalid ? Attribute("aria-invalid", "true") : .none
  }

  /// Sets whether an element with the role of a checkbox, radio button or switch is on.
  public static func ariaChecked(_ isChecked: Bool) -> Attribute {
    Attribute("aria-checked", "\(isChecked)")
  }

  /// Sets whether a toggle button is on.
  public static func ariaPressed(_ isPressed: Bool) -> Attribute {
    Attribute("aria-pressed", "\(isPressed)")
  }

  private static func list(_ name: String, _ ids: [String]) -> Attribute {
    ids.isEmpty ? .none : Attribute(name, ids.joined(separator: " "))
  }
}

/// The role of an element for assistive technology, by its name in WAI-ARIA
/// (<https://www.w3.org/TR/wai-aria-1.2/#role_definitions>).
public enum ElementRole: String, Sendable {
  /// A message. A screen reader reads an `alert` at once, and changes of a `status` or a `log` when
  /// it pauses.
  case alert, log, status
  /// A counter of time, whose changes are not read by themselves.
  case timer
  /// A control that is on or off.
  case checkbox, radio, `switch`
  /// Elements that belong together; a `radiogroup` consists of radio buttons.
  case group, radiogroup
  /// A list of elements, or a `listbox` whose items, each an `option`, can be chosen.
  case list, listbox, option
  /// The switch between parts of a page: a `tablist` with a `tab` for each `tabpanel`. These tabs
  /// are unrelated to ``Tab``.
  case tab, tablist, tabpanel
  /// A part of the page with a purpose of its own.
  case dialog, note, region, search
  /// A picture that consists of several elements.
  case img
  /// An element without a meaning of its own.
  case presentation
}

/// The kind of the current element of a set.
public enum CurrentKind: String, Sendable {
  /// The link to the page that is shown.
  case page
  /// The step of a process that the user is at.
  case step
  /// The place of the user, for example in a flow chart.
  case location
  /// The current date in a calendar.
  case date
  /// The current time in a timetable.
  case time
  /// Anything else.
  case item = "true"
}
