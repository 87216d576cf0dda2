package import OffshorePresentation

/// A problem of a charter's form, or advice on it.
///
/// The rules are declared by the fields of the form; see ``CharterFormFields``.
package enum CharterFormValidation: Hashable, Sendable {
  /// The name is empty.
  case emptyName
  /// The charter ends before it starts.
  case invalidDateRange
  /// A text is not valid.
  /// - Parameter field: the path of its field.
  case invalid(field: String)
  /// The destination is empty, which is allowed.
  case emptyDestination
  /// The boat is empty, which is allowed.
  case emptyVessel
  /// The sum of the budget lines exceeds the total, which is allowed.
  case linesExceedBudget

  /// Whether the problem prevents saving.
  package var isBlocking: Bool { advice == nil }

  /// The advice; `nil` for a problem.
  package var advice: LocalizedText? {
    switch self {
    case .emptyDestination:
      LocalizedText(en: "You can add where you sail to.", ru: "Можно добавить, куда вы идёте.")
    case .emptyVessel:
      LocalizedText(en: "You can add the boat's name.", ru: "Можно добавить название лодки.")
    case .linesExceedBudget:
      LocalizedText(
        en: "The budget lines add up to more than the budget.",
        ru: "Строки бюджета вместе больше, чем весь бюджет.")
    case .emptyName, .invalidDateRange, .invalid: nil
    }
  }

  /// Returns the issues of a form: its problems by field, then advice.
  package static func issues(in form: CharterFormState) -> [Self] {
    issues(in: form, CharterFormFields.all(in: .english).problems(of: form))
  }

  static func issues(
    in form: CharterFormState, _ problems: [String: LocalizedText]
  ) -> [Self] {
    let fields = problems.keys.sorted().map { path -> Self in
      switch path {
      case "name" where form.name.trimmedOrNil == nil: .emptyName
      case "endDate" where form.startDate != nil && form.endDate != nil: .invalidDateRange
      default: .invalid(field: path)
      }
    }
    return fields + advice(for: form)
  }

  /// Returns the advice on a form.
  package static func advice(for form: CharterFormState) -> [Self] {
    (form.destination.trimmedOrNil == nil ? [.emptyDestination] : [])
      + (form.vessel.trimmedOrNil == nil ? [.emptyVessel] : [])
      + (form.linesExceedBudget ? [.linesExceedBudget] : [])
  }
}
