public import Foundation

/// What somebody has entered of a charter so far.
public struct CharterFormState: Equatable, Sendable {
  public var name = ""
  public var startDate: Date?
  public var endDate: Date?
  public var region = ""
  public var vessel = ""
  public var destination = ""
  public var guests = CharterModel.defaultGuests
  public var crew: [CrewMember] = []
  public var budget: CharterBudget?

  /// Creates an empty form.
  public init() {}

  /// Creates a form with what a charter has.
  public init(_ charter: CharterModel) {
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

  /// Those of the crew who have a name, without space around it.
  public var namedCrew: [CrewMember] {
    crew.compactMap { member in
      member.name.trimmedOrNil.map { CrewMember(name: $0, role: member.role) }
    }
  }

  /// A step of filling in the form.
  public enum Step: String, CaseIterable, Sendable {
    case name
    case startDate
    case endDate
    case region
    case vessel
    case guests
  }

  /// The steps that are still to do, in order.
  public var missingSteps: [Step] { Step.allCases.filter { !isDone($0) } }

  /// The share of steps done as 0…1.
  public var completionProgress: Double {
    Double(Step.allCases.count - missingSteps.count) / Double(Step.allCases.count)
  }

  private func isDone(_ step: Step) -> Bool {
    switch step {
    case .name: name.trimmedOrNil != nil
    case .startDate: startDate != nil
    case .endDate: endDate != nil
    case .region: region.trimmedOrNil != nil
    case .vessel: vessel.trimmedOrNil != nil
    case .guests: CharterModel.guestLimits.contains(guests)
    }
  }
}
