// The attributes for assistive technology (<https://www.w3.org/TR/wai-aria-1.2/>).

extension Attribute {
  /// Sets the accessible name, if no visible text gives it.
  public static func ariaLabel(_ text: String) -> Attribute { Attribute("aria-label", text) }

  /// Sets the ids of the elements that label it.
  public static func ariaLabelledBy(_ ids: String...) -> Attribute {
    list("aria-labelledby", ids)
  }

  /// Sets the ids of the elements that describe it, such as a hint and an error; omitted if empty.
  public static func ariaDescribedBy(_ ids: [String]) -> Attribute { list("aria-describedby", ids) }

  /// Sets the ids of the elements that it controls.
  public static func ariaControls(_ ids: String...) -> Attribute { list("aria-controls", ids) }

  /// Sets whether and when changes of the content are read out.
  public static func ariaLive(_ politeness: Politeness) -> Attribute {
    Attribute("aria-live", politeness.rawValue)
  }

  /// Sets whether the element is being changed.
  public static func ariaBusy(_ isBusy: Bool) -> Attribute { Attribute("aria-busy", "\(isBusy)") }

  /// Marks the current element of a set.
  public static func ariaCurrent(_ current: Current) -> Attribute {
    Attribute("aria-current", current.rawValue)
  }

  /// Sets whether the content that it controls is shown.
  public static func ariaExpanded(_ isExpanded: Bool) -> Attribute {
    Attribute("aria-expanded", "\(isExpanded)")
  }

  /// Sets whether assistive technology ignores the element.
  public static func ariaHidden(_ isHidden: Bool = true) -> Attribute {
    isHidden ? Attribute("aria-hidden", "true") : .none
  }

  /// Sets whether the entered value breaks a rule; omitted if it does not.
  public static func ariaInvalid(_ isInvalid: Bool) -> Attribute {
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

  /// Sets whether a tab or an option is selected.
  public static func ariaSelected(_ isSelected: Bool) -> Attribute {
    Attribute("aria-selected", "\(isSelected)")
  }

  private static func list(_ name: String, _ ids: [String]) -> Attribute {
    ids.isEmpty ? .none : Attribute(name, ids.joined(separator: " "))
  }
}

/// The time at which a change is read out.
public enum Politeness: String, Sendable {
  /// Never.
  case off
  /// When the screen reader pauses.
  case polite
  /// At once, which interrupts the screen reader.
  case assertive
}

/// The kind of the current element of a set.
public enum Current: String, Sendable {
  case page, step, location, date, time
  /// Anything else.
  case item = "true"
}
