public import OffshorePresentation
public import OffshoreWeb

/// The fields of a draft in their order. Those of a group with a label stand under it, the first two of them
/// side by side if each is a line with few characters.
@MainActor struct DraftFieldsView<Entry: Identifiable & Sendable>: Component
where Entry.ID: Sendable {
  let draft: Draft<Entry>
  let say: Speaker

  init(_ draft: Draft<Entry>, _ say: Speaker) {
    self.draft = draft
    self.say = say
  }

  @HTMLBuilder var html: HTML {
    for field in draft.fields {
      if let name = field.group, let label = field.groupLabel {
        let group = draft.fields.filter { $0.group == name }
        if group[0].name == field.name {
          FieldGroup(say(label), id: "group-\(name)") { view(of: group) }
        }
      } else {
        DraftFieldView(field, of: draft, say)
      }
    }
  }

  @HTMLBuilder private func view(of group: [DraftField<Entry>]) -> HTML {
    let beside = group.prefix(2).allSatisfy(\.control.kind.isShort) ? group.prefix(2) : []
    if !beside.isEmpty {
      div(.class("pair")) {
        for field in beside { DraftFieldView(field, of: draft, say) }
      }
    }
    for field in group.dropFirst(beside.count) { DraftFieldView(field, of: draft, say) }
  }
}

extension DraftControl.Kind {
  /// Whether the control is a line with few characters.
  var isShort: Bool {
    switch self {
    case .line, .number, .day, .choice: true
    case .text, .check, .choices, .rows: false
    }
  }
}

/// A field of a draft, with the typed text and its problem.
@MainActor public struct DraftFieldView: Component {
  /// The label, the control, the hint and the problem.
  public let html: HTML

  /// Shows a field.
  public init<Entry>(_ field: DraftField<Entry>, of draft: Draft<Entry>, _ say: Speaker) {
    self.init(
      field.control, at: field.name, draft[field.name], draft.problems, say,
      isConflict: draft.conflicts.contains(field.name))
  }

  /// Shows a field.
  /// - Parameters:
  ///   - path: the path of the field, under which the text is sent.
  ///   - text: the typed text.
  ///   - problems: the problems of all fields of the form, by path.
  init(
    _ control: DraftControl, at path: String, _ text: String, _ problems: [String: LocalizedText],
    _ say: Speaker, isConflict: Bool = false
  ) {
    let label = say(control.label)
    let hint = (isConflict ? LocalizedText.editedElsewhere : control.hint).map { say($0) }
    let problem = problems[path].map { say($0) }
    func view(_ kind: Field.Kind) -> HTML {
      Field(
        label, name: path, value: text, kind: kind, hint: hint, error: problem,
        isRequired: control.isRequired
      ).html
    }
    html =
      switch control.kind {
      case .line: view(.input(.text))
      case .text(let rows): view(.text(rows: rows))
      case .number: view(.input(.number))
      case .day: view(.input(.date))
      case .check:
        CheckField(label, name: path, isOn: text == "on", hint: hint, error: problem).html
      case .choice(let choices):
        view(.choice(choices.map { Field.Choice($0.value, say($0.label)) }))
      case .choices(let choices):
        Self.view(of: choices(), label, at: path, text, hint: hint, problem: problem, say)
      case .rows(let rows):
        FieldGroup(label, id: "field-\(path)", hint: hint, error: problem, hasBorder: false) {
          DraftRowsView(rows, at: path, [DraftRow](text: text), problems, say).html
        }.html
      }
  }

  /// A box for each choice, or nothing if there is none.
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
