import Foundation
import OffshoreCalendar
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
  case crewNameTooLong
  case invalidBudget
  case invalidCurrency
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
    case .crewNameTooLong: "crew"
    case .invalidBudget: "budget"
    case .invalidCurrency: "currency"
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
    case .crewNameTooLong: .tooLong(field: field, maximum: CrewMember.maximumNameLength)
    case .regionTooLong, .destinationTooLong:
      .tooLong(field: field, maximum: CharterModel.maximumPlaceLength)
    case .missingStartDate, .missingEndDate: .missingRequiredFields
    case .invalidDateRange: .invalidDateRange
    case .guestsOutOfRange, .invalidBudget, .invalidCurrency: .outOfRange(field: field)
    case .emptyDestination, .emptyVessel: nil
    }
  }

  /// A sentence to show beside the field.
  public var message: LocalizedText {
    switch self {
    case .missingStartDate: .enterFirstDay
    case .missingEndDate: .enterLastDay
    case .guestsOutOfRange: .guestLimits
    case .invalidBudget: .possibleBudget
    case .invalidCurrency: .possibleCurrency
    case .vesselTooLong: .vesselNameTooLong
    case .emptyDestination: .adviseDestination
    case .emptyVessel: .adviseVessel
    case .emptyName, .nameTooLong, .invalidDateRange, .regionTooLong, .destinationTooLong,
      .crewNameTooLong:
      error.map { AppError.validation($0).localizedMessage(naming: .charter) }
        ?? LocalizedText(verbatim: "")
    }
  }

  /// All that is wrong with a form or could be better.
  public static func issues(in form: CharterFormState) -> [Self] {
    allCases.filter { $0.applies(to: form) }
  }

  private func applies(to form: CharterFormState) -> Bool {
    switch self {
    case .emptyName: form.name.trimmed.isEmpty
    case .nameTooLong: form.name.trimmed.count > CharterModel.maximumNameLength
    case .missingStartDate: form.startDate == nil
    case .missingEndDate: form.endDate == nil
    case .regionTooLong: form.region.trimmed.count > CharterModel.maximumPlaceLength
    case .vesselTooLong: form.vessel.trimmed.count > CharterModel.maximumVesselLength
    case .destinationTooLong: form.destination.trimmed.count > CharterModel.maximumPlaceLength
    case .invalidDateRange: form.endsBeforeItStarts
    case .guestsOutOfRange: !CharterModel.guestLimits.contains(form.guests)
    case .crewNameTooLong:
      form.namedCrew.contains { $0.name.count > CrewMember.maximumNameLength }
    case .invalidBudget: form.budget.map { !$0.hasValidAmounts } ?? false
    case .invalidCurrency: form.budget.map { !$0.hasValidCurrency } ?? false
    case .emptyDestination: form.destination.trimmed.isEmpty
    case .emptyVessel: form.vessel.trimmed.isEmpty
    }
  }
}

extension CharterFormState {
  /// By days: the times of the day do not matter.
  fileprivate var endsBeforeItStarts: Bool {
    guard let startDate, let endDate else { return false }
    return CalendarDay(containing: endDate) < CalendarDay(containing: startDate)
  }
}
