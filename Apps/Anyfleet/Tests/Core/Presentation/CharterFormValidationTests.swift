import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// The rules and warnings of a charter's form.
struct CharterFormValidationTests {
  private func issues(_ change: (inout CharterFormState) -> Void) -> [CharterFormValidation] {
    var form = CharterFormState.sample
    change(&form)
    return CharterFormValidation.issues(in: form)
  }

  @Test func `A valid form has no issue`() { #expect(issues { _ in } == []) }

  @Test func `A name needs a character other than white space, and at most 80`() {
    #expect(issues { $0.name = "" } == [.emptyName])
    #expect(issues { $0.name = " \t\n " } == [.emptyName])
    #expect(issues { $0.name = String(repeating: "é", count: 80) + " " } == [])
    #expect(issues { $0.name = String(repeating: "é", count: 81) } == [.invalid(field: "name")])
  }

  @Test func `Days in UTC decide whether the end is before the start`() {
    #expect(issues { $0.endDate = .day(7, 1).addingTimeInterval(-12 * 3600) } == [])
    #expect(
      issues { $0.endDate = .day(7, 1).addingTimeInterval(-12 * 3600 - 1) } == [.invalidDateRange])
    #expect(issues { $0.endDate = .day(6, 30) } == [.invalidDateRange])
    #expect(issues { $0.startDate = nil } == [.invalid(field: "startDate")])
    #expect(issues { $0.endDate = nil } == [.invalid(field: "endDate")])
  }

  @Test func `A boat's name may have 80 characters, a destination and a region 120`() {
    func text(_ count: Int) -> String { String(repeating: "é", count: count) }
    #expect(issues { $0.vessel = text(80) + " " } == [])
    #expect(issues { $0.vessel = text(81) } == [.invalid(field: "vessel")])
    #expect(issues { $0.destination = text(120) + " " } == [])
    #expect(issues { $0.destination = text(121) } == [.invalid(field: "destination")])
    #expect(issues { $0.region = text(120) + " " } == [])
    #expect(issues { $0.region = text(121) } == [.invalid(field: "region")])
    var form = CharterFormState()
    (form.vessel, form.destination) = (text(81), text(121))
    let problems = CharterFormFields.all(in: .english).problems(of: form)
    #expect(problems["vessel"]?.in(.english) == "The boat's name may have at most 80 characters.")
    #expect(
      problems["destination"]?.in(.english) == "Destination may have at most 120 characters.")
  }

  @Test func `Guests are within limits, and a budget is valid`() {
    #expect(issues { $0.guests = 0 } == [.invalid(field: "guests")])
    #expect(issues { $0.guests = 1 } == [])
    #expect(issues { $0.guests = 12 } == [])
    #expect(issues { $0.guests = 13 } == [.invalid(field: "guests")])
    #expect(
      issues { $0.budget = .init(amount: -1, currencyCode: "EUR") } == [.invalid(field: "budget")])
    #expect(issues { $0.budget = .init(amount: 0, currencyCode: "EUR") } == [])
    #expect(
      issues { $0.budget = .init(amount: 1, currencyCode: "euro") } == [.invalid(field: "currency")]
    )
    #expect(
      issues { $0.budget = .init(amount: -1, currencyCode: "") } == [
        .invalid(field: "budget"), .invalid(field: "currency"),
      ])
    let long = CrewMember(name: String(repeating: "é", count: 81), role: .crew)
    let found = issues { $0.crew = [long] }
    guard case .invalid(let path)? = found.first, found.count == 1 else {
      Issue.record("A long name of a member is no issue: \(found)")
      return
    }
    #expect(path.hasPrefix("crew.") && path.hasSuffix(".name"))
  }

  @Test func `Only destination and vessel may be empty, with a warning`() {
    let issues = issues { ($0.destination, $0.vessel) = (" ", "") }
    #expect(issues == [.emptyDestination, .emptyVessel])
    for language in Language.allCases {
      for issue in issues { #expect(issue.advice?.in(language).hasSuffix(".") == true) }
    }
    #expect(issues.allSatisfy { !$0.isBlocking })
    #expect(CharterFormValidation.emptyName.isBlocking)
    #expect(CharterFormValidation.invalidDateRange.isBlocking)
    var form = CharterFormState()
    form.guests = 0
    let problems = CharterFormFields.all(in: .english).problems(of: form)
    #expect(problems["guests"]?.in(.english) == "Guests can be from 1 to 12.")
  }

  @Test func `A budget without a sum has the sum of its lines`() {
    var form = CharterFormState()
    form.budgetLines = [.init(title: "Fuel", amount: 200), .init(title: "Berths", amount: 50)]
    #expect(form.budget?.amount == 250)
    let budget = form.budget
    form.budget = budget
    #expect(form.budgetAmount == nil && form.budget == budget)
    form.budgetAmount = 300
    form.budget = form.budget
    #expect(form.budgetAmount == 300)
    form.budgetAmount = 250
    form.budget = form.budget
    #expect(form.budgetAmount == 250, "An entered sum stays, even if it equals that of the lines.")
  }

  @Test func `Lines that exceed the budget cause a warning`() {
    func advice(_ sum: Decimal?) -> [CharterFormValidation] {
      issues {
        $0.budgetLines = [.init(title: "Fuel", amount: 200), .init(title: "Berths", amount: 50)]
        $0.budgetAmount = sum
      }
    }
    #expect(advice(nil) == [] && advice(250) == [] && advice(249) == [.linesExceedBudget])
    #expect(CharterFormValidation.linesExceedBudget.isBlocking == false)
  }

  @Test func `A budget records whether its sum was entered`() throws {
    for isSum in [true, false] {
      let budget = CharterBudget(
        amount: 250, currencyCode: "EUR", lines: [.init(title: "Fuel", amount: 250)],
        isSumOfLines: isSum)
      let data = try JSONEncoder().encode(budget)
      #expect(try JSONDecoder().decode(CharterBudget.self, from: data) == budget)
    }
    let earlier = Data(#"{"amount":250,"currencyCode":"EUR","lines":[]}"#.utf8)
    #expect(try !JSONDecoder().decode(CharterBudget.self, from: earlier).isSumOfLines)
  }
}
