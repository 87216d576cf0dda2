import Anyfleet
import Foundation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation

/// The fields of a charter's form as they were typed, readable or not.
struct CharterFormInput: Equatable {
  /// One row for somebody of the crew; without a name it stands for nobody.
  struct Member: Equatable {
    var name = ""
    var role = CrewRole.crew.rawValue
  }

  /// How many empty rows stand below the crew, for others.
  static let emptyMemberCount = 2
  /// The currency of a new budget.
  static let defaultCurrency = "EUR"

  var name = ""
  var vessel = ""
  var destination = ""
  var region = ""
  var startDate = ""
  var endDate = ""
  var guests = "\(CharterModel.defaultGuests)"
  var crew: [Member] = []
  var budget = ""
  var currency = Self.defaultCurrency

  /// Creates the fields of an empty form.
  init() {}

  /// The fields that have one value each, by the names under which they are sent.
  static let texts: [(name: String, path: any WritableKeyPath<Self, String> & Sendable)] = [
    ("name", \.name), ("vessel", \.vessel), ("destination", \.destination), ("region", \.region),
    ("startDate", \.startDate), ("endDate", \.endDate), ("guests", \.guests), ("budget", \.budget),
    ("currency", \.currency),
  ]

  /// Takes what a form sent; fields that it did not send stay as in an empty form.
  ///
  /// - Parameter prefix: what the names of the fields begin with.
  init(_ fields: Fields, named prefix: String = "") {
    for (name, path) in Self.texts {
      self[keyPath: path] = fields[prefix + name] ?? self[keyPath: path]
    }
    crew = zip(fields.all(prefix + "crewName"), fields.all(prefix + "crewRole"))
      .map { Member(name: $0, role: $1) }.filter { !$0.name.allSatisfy(\.isWhitespace) }
  }

  /// Shows what a form has.
  init(_ form: CharterFormState, in language: Language) {
    name = form.name
    vessel = form.vessel
    destination = form.destination
    region = form.region
    startDate = Self.field(form.startDate)
    endDate = Self.field(form.endDate)
    guests = "\(form.guests)"
    crew = form.crew.map { Member(name: $0.name, role: $0.role.rawValue) }
    budget = form.budget?.typedAmount(in: language) ?? ""
    currency = form.budget?.currencyCode ?? currency
  }

  /// The crew with the empty rows below it.
  var crewRows: [Member] { crew + Array(repeating: Member(), count: Self.emptyMemberCount) }

  /// What the fields mean. What cannot be read is left out, or out of range, which validation then says.
  ///
  /// - Parameters:
  ///   - original: what the form began with, of which more may be known than a field can say.
  ///   - language: the language in which amounts are written.
  func state(
    from original: CharterFormState = CharterFormState(), in language: Language
  ) -> CharterFormState {
    var state = CharterFormState()
    state.name = name
    state.vessel = vessel
    state.destination = destination
    state.region = region
    state.startDate = day(startDate, original.startDate)
    state.endDate = day(endDate, original.endDate)
    state.guests = Int(guests.filter { !$0.isWhitespace }) ?? 0
    state.crew = crew.map { CrewMember(name: $0.name, role: CrewRole(rawValue: $0.role) ?? .crew) }
    state.budget = budget(original.budget, in: language)
    return state
  }

  private func budget(_ original: CharterBudget?, in language: Language) -> CharterBudget? {
    guard !budget.allSatisfy(\.isWhitespace) else { return nil }
    let code = currency.filter { !$0.isWhitespace }.uppercased()
    if let original, original.currencyCode == code,
      original.typedAmount(in: language) == budget
    {
      return original
    }
    let amount = CharterBudget.amount(from: budget, currencyCode: code, in: language)
    return CharterBudget(
      amount: amount ?? .nan, currencyCode: code, lines: original?.lines ?? [])
  }

  /// The instant of a day that a field names; the original one if it lies in that day.
  private func day(_ field: String, _ original: Date?) -> Date? {
    if let original, Self.field(original) == field { return original }
    return CalendarDay(field)?.noon
  }

  /// The day of an instant as a date input has it, or an empty text.
  private static func field(_ instant: Date?) -> String {
    instant.map { CalendarDay(containing: $0).description } ?? ""
  }
}
