public import OffshorePresentation
public import OffshoreWeb

/// A field of a draft, with the typed text and its problem.
@MainActor public struct DraftFieldView: Component {
  /// The label, the control, the hint and the problem.
  public let html: HTML

  /// Creates the view of a field.
  public init<Entry>(_ field: DraftField<Entry>, of draft: Draft<Entry>, _ say: Speaker) {
    self.init(
      field.control, at: field.name, draft[field.name], draft.problems, say,
      isConflict: draft.conflicts.contains(field.name))
  }

  /// Creates the view of a field.
  /// - Parameters:
  ///   - path: the path of the field, which is its name in the form.
  ///   - text: the typed text.
  ///   - problems: the problems of all fields of the form, by path.
  ///   - isCompact: whether the label is shown within the field.
  ///   - edges: for a field with rows, the edges of the outer rows at which its row lies.
  init(
    _ control: DraftControl, at path: String, _ text: String, _ problems: [String: LocalizedText],
    _ say: Speaker, isConflict: Bool = false, isCompact: Bool = false,
    edges: Set<SortRow.Way> = [.up, .down]
  ) {
    let label = say(control.label)
    let hint = (isConflict ? LocalizedText.editedElsewhere : control.hint).map { say($0) }
    let problem = problems[path].map { say($0) }
    func view(_ kind: Field.Kind) -> HTML {
      Field(
        label, name: path, value: text, kind: kind, hint: hint, error: problem,
        isRequired: control.isRequired, isCompact: isCompact, maximumLength: control.maximumLength
      ).html
    }
    html =
      switch control.kind {
      case .line: view(.input(.text))
      case .text(let rows): view(.text(rows: rows))
      case .number: view(.input(.number))
      case .amount: view(.decimal)
      case .day: view(.input(.date))
      case .check:
        CheckField(label, name: path, isOn: text == "on", hint: hint, error: problem).html
      case .choice(let choices):
        view(.choice(choices.map { Field.Choice($0.value, say($0.label)) }))
      case .choices(let choices):
        Self.view(of: choices(), label, at: path, text, hint: hint, problem: problem, say)
      case .rows(let rows):
        FieldGroup(label, id: "field-\(path)", hint: hint, error: problem, hasBorder: false) {
          DraftRowsView(rows, at: path, [DraftRow](text: text), problems, say, edges: edges).html
        }.html
      }
  }

  /// Returns a checkbox for each choice, or nothing without choices.
  @HTMLBuilder private static func view(
    of choices: [DraftChoice], _ label: String, at path: String, _ text: String, hint: String?,
    problem: String?, _ say: Speaker
  ) -> HTML {
    let chosen = Set(text.split(separator: "\n"))
    if !choices.isEmpty || problem != nil {
      FieldGroup(label, id: "field-\(path)", hint: hint, error: problem) {
        for choice in choices {
          CheckField(
            say(choice.label), name: "\(path).\(choice.value)",
            isOn: chosen.contains(choice.value[...]), hint: choice.hint.map { say($0) })
        }
      }
    }
  }
}

extension LocalizedText {
  fileprivate static let editedElsewhere = LocalizedText(
    en: "This field was edited elsewhere, too.", ru: "Это поле изменили и в другом месте.")
}
