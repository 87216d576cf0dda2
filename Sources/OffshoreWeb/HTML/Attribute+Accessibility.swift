// The attributes that tell assistive technology what a page looks like
// (<https://www.w3.org/TR/wai-aria-1.2/>).

extension Attribute {
  /// The name, where no visible text gives one.
  public static func ariaLabel(_ text: String) -> Attribute { Attribute("aria-label", text) }

  /// The ids of the elements that name it.
  public static func ariaLabelledBy(_ ids: String...) -> Attribute {
    list("aria-labelledby", ids)
  }

  /// The ids of the elements that say more, such as a hint and an error; none leaves it out.
  public static func ariaDescribedBy(_ ids: [String]) -> Attribute { list("aria-describedby", ids) }

  /// The ids of the elements that it changes.
  public static func ariaControls(_ ids: String...) -> Attribute { list("aria-controls", ids) }

  /// Whether and how urgently changes within are read out.
  public static func ariaLive(_ politeness: Politeness) -> Attribute {
    Attribute("aria-live", politeness.rawValue)
  }

  /// Whether it is being changed.
  public static func ariaBusy(_ isBusy: Bool) -> Attribute { Attribute("aria-busy", "\(isBusy)") }

  /// Which of a set is the one on show.
  public static func ariaCurrent(_ current: Current) -> Attribute {
    Attribute("aria-current", current.rawValue)
  }

  /// Whether what it controls is shown.
  public static func ariaExpanded(_ isExpanded: Bool) -> Attribute {
    Attribute("aria-expanded", "\(isExpanded)")
  }

  /// Whether assistive technology passes it by.
  public static func ariaHidden(_ isHidden: Bool = true) -> Attribute {
    isHidden ? Attribute("aria-hidden", "true") : .none
  }

  /// Whether what was entered breaks a rule; left out where it does not.
  public static func ariaInvalid(_ isInvalid: Bool) -> Attribute {
    isInvalid ? Attribute("aria-invalid", "true") : .none
  }

  /// Whether an element in the role of a checkbox, radio or switch is on.
  public static func ariaChecked(_ isChecked: Bool) -> Attribute {
    Attribute("aria-checked", "\(isChecked)")
  }

  /// Whether a button that stays down is down.
  public static func ariaPressed(_ isPressed: Bool) -> Attribute {
    Attribute("aria-pressed", "\(isPressed)")
  }

  /// Whether a tab or an option is chosen.
  public static func ariaSelected(_ isSelected: Bool) -> Attribute {
    Attribute("aria-selected", "\(isSelected)")
  }

  private static func list(_ name: String, _ ids: [String]) -> Attribute {
    ids.isEmpty ? .none : Attribute(name, ids.joined(separator: " "))
  }
}

/// When a change is read out.
public enum Politeness: String, Sendable {
  /// Not at all.
  case off
  /// When the reader pauses.
  case polite
  /// At once, which interrupts.
  case assertive
}

/// What the current one of a set is.
public enum Current: String, Sendable {
  case page, step, location, date, time
  /// Anything else.
  case item = "true"
}
