public import OffshorePresentation
public import OffshoreWeb

/// A field of a draft, with the typed text and its problem.
@MainActor public struct DraftFieldView: Component {
  /// The label, the control, the hint and the problem.
  public let html: HTML

  /// Shows a field.
  public init<Entry>(_ field: DraftField<Entry>, of draft: Draft<Entry>, _ say: Speaker) {
    let label = say(field.label)
    let hint = field.hint.map { say($0) }
    let problem = draft.problems[field.name].map { say($0) }
    func view(_ kind: Field.Kind) -> HTML {
      Field(
        label, name: field.name, value: draft[field.name], kind: kind, hint: hint, error: problem,
        isRequired: field.isRequired
      ).html
    }
    html =
      switch field.kind {
      case .line: view(.input(.text))
      case .text(let rows): view(.text(rows: rows))
      case .number: view(.input(.number))
      case .day: view(.input(.date))
      case .check:
        CheckField(
          label, name: field.name, isOn: draft[field.name] == "on", hint: hint, error: problem
        ).html
      case .choice(let choices):
        view(.choice(choices.map { Field.Choice($0.value, say($0.label)) }))
      }
  }
}
