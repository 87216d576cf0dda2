import Anyfleet
import Observation
import OffshorePresentation
import OffshoreWeb

/// The fields of a charter, with what is wrong beside them.
@MainActor
struct CharterFormView {
  let say: Speaker
  let input: CharterFormInput
  let problems: [CharterFormValidation]

  /// All fields.
  @HTMLBuilder var html: HTML {
    Field(
      say(.charterName), name: "name", value: input.name, hint: say(.nameHint),
      error: problem("name"), isRequired: true)
    Field(
      label("startDate"), name: "startDate", value: input.startDate, kind: .input(.date),
      error: problem("startDate"), isRequired: true)
    Field(
      label("endDate"), name: "endDate", value: input.endDate, kind: .input(.date),
      error: problem("endDate"), isRequired: true)
    Field(
      label("vessel"), name: "vessel", value: input.vessel, hint: say(.vesselHint),
      error: problem("vessel"))
    Field(
      label("destination"), name: "destination", value: input.destination,
      hint: say(.destinationHint), error: problem("destination"))
    Field(
      label("region"), name: "region", value: input.region, hint: say(.regionHint),
      error: problem("region"))
    Field(
      say(.guestField), name: "guests", value: input.guests, kind: .input(.number),
      hint: say(.guestHint), error: problem("guests"), isRequired: true)
    crew
    budget
  }

  private var crew: HTML {
    fieldset(.id("crew"), .class("pairs")) {
      legend { say(.crew) }
      p(.class("hint")) { say(.crewHint) }
      for (index, member) in input.crewRows.enumerated() {
        div(.class("pair")) {
          Field(
            say(.crewName(index + 1)), name: "crewName", value: member.name,
            error: isTooLong(member) ? problem("crew") : nil, id: "field-crewName-\(index)")
          Field(
            say(.crewRole(index + 1)), name: "crewRole", value: member.role, kind: .choice(roles),
            id: "field-crewRole-\(index)")
        }
      }
    }
  }

  private var budget: HTML {
    fieldset(.class("pairs")) {
      legend { say(.budget) }
      div(.class("pair")) {
        Field(
          say(.budget), name: "budget", value: input.budget, hint: say(.budgetHint),
          error: problem("budget"))
        Field(
          label("currency"), name: "currency", value: input.currency, hint: say(.currencyHint),
          error: problem("currency"))
      }
    }
  }

  private var roles: [Field.Choice] {
    CrewRole.allCases.map { Field.Choice($0.rawValue, say($0.title)) }
  }

  private func isTooLong(_ member: CharterFormInput.Member) -> Bool {
    member.name.count > CrewMember.maximumNameLength
  }

  private func label(_ field: String) -> String { say(FieldNames.charter[field]) }

  /// What keeps a field from being saved, as a sentence.
  private func problem(_ field: String) -> String? {
    problems.first { $0.field == field && $0.isBlocking }.map { say($0.message) }
  }
}

/// How complete a charter's form is, and what it lacks.
struct CompletionCard: Component {
  let html: HTML

  init(_ missing: [CharterFormState.Step], advice: [CharterFormValidation], _ say: Speaker) {
    let total = CharterFormState.Step.allCases.count
    let count = total - missing.count
    html = section(.id("completion"), .class("summary"), .ariaLabel(say(.completion))) {
      ProgressBar(count, of: total, label: say(.completion))
      p { say(.completed(count, of: total)) }
      if !missing.isEmpty { p(.class("hint")) { say(.stillMissing(missing)) } }
      for issue in advice { p(.class("hint")) { say(issue.message) } }
    }
  }
}

/// What was typed, for as long as the page is open.
@MainActor @Observable
final class CharterDraft {
  var input = CharterFormInput()
  /// What the form began with.
  var before = CharterFormInput()
}

/// The action of a form that is only to come back with the typed texts.
let keepingDraft = "keep"
