package import Foundation
import OffshoreCalendar

/// The values of a charter's form.
package struct CharterFormState: Equatable, Identifiable, Sendable {
  /// The currency of a new budget.
  static let defaultCurrency = "EUR"

  /// The id of the charter.
  package let id: UUID
  package var name = ""
  package var startDate: Date?
  package var endDate: Date?
  package var region = ""
  package var vessel = ""
  package var destination = ""
  package var guests = CharterModel.defaultGuests
  package var crew: [CrewMember] = []
  /// The library's checklists for a new charter.
  package var checklistIDs: Set<UUID> = []

  var currencyCode = Self.defaultCurrency
  var budgetLines: [CharterBudget.Line] = []
  /// The entered total; without one, the budget is the sum of its lines.
  var budgetAmount: Decimal?

  /// Creates an empty form.
  package init(id: UUID = UUID()) { self.id = id }

  /// Creates a form with the values of a charter.
  package init(_ charter: CharterModel) {
    id = charter.id
    name = charter.name
    startDate = charter.startDate
    endDate = charter.endDate
    region = charter.region ?? ""
    vessel = charter.boatName ?? ""
    destination = charter.location ?? ""
    guests = charter.guests
    crew = charter.crew
    budget = charter.budget
  }

  /// The budget, or `nil` if neither a total nor a line is entered.
  package var budget: CharterBudget? {
    get {
      guard budgetAmount != nil || !budgetLines.isEmpty else { return nil }
      return CharterBudget(
        amount: budgetAmount ?? budgetLines.sum, currencyCode: currencyCode, lines: budgetLines,
        isSumOfLines: budgetAmount == nil)
    }
    set {
      currencyCode = newValue?.currencyCode ?? Self.defaultCurrency
      budgetLines = newValue?.lines ?? []
      budgetAmount = newValue?.amount
      if newValue?.isSumOfLines == true, budgetAmount == budgetLines.sum { budgetAmount = nil }
    }
  }

  /// Whether the sum of the budget lines exceeds the entered total.
  var linesExceedBudget: Bool {
    guard let budgetAmount, !budgetLines.isEmpty else { return false }
    return budgetLines.filter { !$0.amount.isNaN }.sum > budgetAmount
  }

  /// The members of the crew that have a name.
  var namedCrew: [CrewMember] {
    get { crew.filter { $0.name.trimmedOrNil != nil } }
    set { crew = newValue.filter { $0.name.trimmedOrNil != nil } }
  }

  /// The first day. Setting the same day does not change the instant in it.
  var startDay: CalendarDay? {
    get { startDate.map { CalendarDay(containing: $0) } }
    set { if newValue != startDay { startDate = newValue?.noon } }
  }

  /// The last day. Setting the same day does not change the instant in it.
  var endDay: CalendarDay? {
    get { endDate.map { CalendarDay(containing: $0) } }
    set { if newValue != endDay { endDate = newValue?.noon } }
  }

  /// Returns the form with the instants of another one if they are on the same days.
  func keepingInstants(of other: Self?) -> Self {
    var form = self
    if let other, other.startDay == startDay { form.startDate = other.startDate }
    if let other, other.endDay == endDay { form.endDate = other.endDate }
    return form
  }

  /// Compares the entered values without the ids, so that the forms of two charters can be equal.
  package static func == (first: Self, second: Self) -> Bool {
    (first.name, first.startDate, first.endDate, first.guests)
      == (second.name, second.startDate, second.endDate, second.guests)
      && (first.region, first.vessel, first.destination)
        == (second.region, second.vessel, second.destination)
      && (first.crew, first.checklistIDs) == (second.crew, second.checklistIDs)
      && (first.currencyCode, first.budgetLines, first.budgetAmount)
        == (second.currencyCode, second.budgetLines, second.budgetAmount)
  }
}

extension CharterModel {
  /// Assigns the values of a valid form. Blank texts become `nil`.
  mutating func apply(_ form: CharterFormState) {
    name = form.name
    if let date = form.startDate { startDate = date }
    if let date = form.endDate { endDate = date }
    region = form.region.trimmedOrNil
    boatName = form.vessel.trimmedOrNil
    location = form.destination.trimmedOrNil
    guests = form.guests
    crew = form.namedCrew
    budget = form.budget
  }
}

extension [CharterBudget.Line] {
  fileprivate var sum: Decimal { reduce(0) { $0 + $1.amount } }
}
