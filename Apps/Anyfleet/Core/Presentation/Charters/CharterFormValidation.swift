public import Foundation
public import OffshorePresentation

/// Something about a charter's form that is wrong, or could be better.
public enum CharterFormValidation: CaseIterable, Equatable, Hashable, Sendable {
  case emptyName
  case nameTooLong
  case missingStartDate
  case missingEndDate
  case invalidDateRange
  case regionTooLong
  case vesselTooLong
  case destinationTooLong
  case guestsOutOfRange
  case invalidBudget
  case emptyDestination
  case emptyVessel

  /// Whether the charter cannot be saved like this.
  public var isBlocking: Bool { error != nil }

  /// The property of ``CharterFormState`` that it is about.
  public var field: String {
    switch self {
    case .emptyName, .nameTooLong: "name"
    case .missingStartDate: "startDate"
    case .missingEndDate, .invalidDateRange: "endDate"
    case .regionTooLong: "region"
    case .guestsOutOfRange: "guests"
    case .invalidBudget: "budget"
    case .destinationTooLong, .emptyDestination: "destination"
    case .vesselTooLong, .emptyVessel: "vessel"
    }
  }

  /// The error, where it blocks.
  public var error: ValidationError? {
    switch self {
    case .emptyName: .emptyName
    case .nameTooLong: .tooLong(field: field, maximum: CharterModel.maximumNameLength)
    case .vesselTooLong: .tooLong(field: field, maximum: CharterModel.maximumVesselLength)
    case .regionTooLong, .destinationTooLong:
      .tooLong(field: field, maximum: CharterModel.maximumPlaceLength)
    case .missingStartDate, .missingEndDate: .missingRequiredFields
    case .invalidDateRange: .invalidDateRange
    case .guestsOutOfRange, .invalidBudget: .outOfRange(field: field)
    case .emptyDestination, .emptyVessel: nil
    }
  }

  /// A sentence to show beside the field.
  public var message: String {
    switch self {
    case .missingStartDate: "Enter the first day."
    case .missingEndDate: "Enter the last day."
    case .guestsOutOfRange:
      "Guests can be from \(CharterModel.guestLimits.lowerBound) "
        + "to \(CharterModel.guestLimits.upperBound)."
    case .invalidBudget: "A budget is 0 or more, in a currency of three letters such as EUR."
    case .emptyDestination: "You can add where you sail to."
    case .emptyVessel: "You can add the boat's name."
    case .vesselTooLong:
      "The boat's name may have at most \(CharterModel.maximumVesselLength) characters."
    case .emptyName, .nameTooLong, .invalidDateRange, .regionTooLong, .destinationTooLong:
      error.map { AppError.validation($0).localizedMessage.in(.english) } ?? ""
    }
  }

  /// All that is wrong with a form or could be better, by the days of a calendar.
  public static func issues(in form: CharterFormState, calendar: Calendar) -> [Self] {
    allCases.filter { $0.applies(to: form, calendar) }
  }

  private func applies(to form: CharterFormState, _ calendar: Calendar) -> Bool {
    switch self {
    case .emptyName: form.name.trimmed.isEmpty
    case .nameTooLong: form.name.trimmed.count > CharterModel.maximumNameLength
    case .missingStartDate: form.startDate == nil
    case .missingEndDate: form.endDate == nil
    case .regionTooLong: form.region.trimmed.count > CharterModel.maximumPlaceLength
    case .vesselTooLong: form.vessel.trimmed.count > CharterModel.maximumVesselLength
    case .destinationTooLong: form.destination.trimmed.count > CharterModel.maximumPlaceLength
    case .invalidDateRange: form.endsBeforeItStarts(calendar)
    case .guestsOutOfRange: !CharterModel.guestLimits.contains(form.guests)
    case .invalidBudget: form.budget.map { !$0.isValid } ?? false
    case .emptyDestination: form.destination.trimmed.isEmpty
    case .emptyVessel: form.vessel.trimmed.isEmpty
    }
  }
}

extension CharterFormState {
  fileprivate func endsBeforeItStarts(_ calendar: Calendar) -> Bool {
    guard let startDate, let endDate else { return false }
    return calendar.startOfDay(for: endDate) < calendar.startOfDay(for: startDate)
  }
}
