import OffshorePresentation
import OffshoreWeb

/// The fields of a draft in their order: first those that are always visible, then those under
/// “More”.
///
/// The fields of a group are adjacent, under its label if it has one. The first two are side by
/// side if both are short lines.
@MainActor struct DraftFieldsView<Entry: Identifiable & Sendable>: Component
where Entry.ID: Sendable {
  private let draft: Draft<Entry>
  private let say: Localizer
  private let changed: String?

  /// Creates the view of the fields.
  /// - Parameter changed: the field whose rows a button has just changed. If it is under
  ///   “More”, that part stays expanded.
  init(_ draft: Draft<Entry>, _ say: Localizer, changed: String? = nil) {
    self.draft = draft
    self.say = say
    self.changed = changed
  }

  @HTMLBuilder var html: HTML {
    div(.class("columns")) { view(of: draft.fields.filter { !$0.control.isUnderMore }) }
    let folded = draft.fields.filter(\.control.isUnderMore)
    if !folded.isEmpty {
      let isNeeded = folded.contains(where: needsAttention)
      let isOpen = isNeeded || folded.contains { $0.name == changed }
      details(
        .id("more-fields"), .class("section"), .open(isOpen), .opensOnError(isNeeded)
      ) {
        summary {
          span(.class("label")) {
            h2 { say(.more) }
            small { names(of: folded) }
          }
        }
        div(.class("columns")) { view(of: folded) }
      }
    }
  }

  /// Returns whether a field has a problem or was also edited elsewhere.
  private func needsAttention(_ field: DraftField<Entry>) -> Bool {
    draft.conflicts.contains(field.name)
      || draft.problems.keys.contains { $0.prefix { $0 != "." } == field.name }
  }

  /// Returns the labels of fields and groups, each once.
  private func names(of fields: [DraftField<Entry>]) -> String {
    fields.map { say($0.groupLabel ?? $0.control.label) }
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .joined(separator: ", ")
  }

  @HTMLBuilder private func view(of fields: [DraftField<Entry>]) -> HTML {
    for field in fields {
      if let name = field.group {
        let group = fields.filter { $0.group == name }
        if group[0].name == field.name { view(of: group, label: field.groupLabel) }
      } else {
        DraftFieldView(field, of: draft, say)
      }
    }
  }

  @HTMLBuilder private func view(
    of group: [DraftField<Entry>], label: LocalizedText?
  ) -> HTML {
    if let label {
      FieldGroup(say(label), id: "group-\(group[0].group ?? "")") { members(of: group) }
    } else {
      members(of: group)
    }
  }

  @HTMLBuilder private func members(of group: [DraftField<Entry>]) -> HTML {
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
  /// Whether the control is a short line.
  var isShort: Bool {
    switch self {
    case .line, .number, .amount, .day, .time, .choice, .item: true
    case .text, .color, .check, .choices, .rows: false
    }
  }

  /// Whether the control, or one in its rows, needs the stylesheet of colors.
  var hasColors: Bool {
    switch self {
    case .color: true
    case .rows(let rows): rows.controls.contains(where: \.kind.hasColors)
    default: false
    }
  }
}

/// A field of a draft, with the typed text and its problem.
@MainActor struct DraftFieldView: Component {
  /// The label, the control, the hint and the problem.
  let html: HTML

  /// Creates the view of a field.
  init<Entry>(_ field: DraftField<Entry>, of draft: Draft<Entry>, _ say: Localizer) {
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
    _ say: Localizer, isConflict: Bool = false, isCompact: Bool = false,
    edges: Set<SortRow.Direction> = [.up, .down]
  ) {
    let label = say(control.label)
    let hint = (isConflict ? LocalizedText.editedElsewhere : control.hint).map { say($0) }
    let problem = problems[path].map { say($0) }
    func view(_ kind: Field.Kind, _ value: String) -> HTML {
      Field(
        label, name: path, value: value, kind: kind, hint: hint, error: problem,
        isRequired: control.isRequired, isCompact: isCompact, maximumLength: control.maximumLength
      ).html
    }
    func view(_ kind: Field.Kind) -> HTML { view(kind, text) }
    html =
      switch control.kind {
      case .line: view(.input(.text))
      case .text(let rows): view(.text(rows: rows))
      case .number: view(.input(.number))
      case .amount: view(.decimal)
      case .day: view(.input(.date))
      case .time: view(.input(.time))
      case .color:
        RadioField(colors: label, name: path, value: text, hint: hint, error: problem, say).html
      case .check:
        CheckField(label, name: path, isOn: text == "on", hint: hint, error: problem).html
      case .choice(let choices):
        view(.choice(choices.map { Field.Choice($0.value, say($0.label)) }))
      case .item(let choices):
        view(.choice(Self.items(choices(), text).map { Field.Choice($0.value, say($0.label)) }))
      case .choices(let choices):
        Self.view(of: choices(), label, at: path, text, hint: hint, problem: problem, say)
      case .rows(let rows):
        FieldGroup(label, id: "field-\(path)", hint: hint, error: problem, hasBorder: false) {
          DraftRowsView(rows, at: path, [DraftRow](text: text), problems, say, edges: edges).html
        }.html
      }
  }

  /// Returns the items to choose from, with the chosen one if it is not among them.
  private static func items(_ choices: [DraftChoice], _ text: String) -> [DraftChoice] {
    let isKnown = text.isEmpty || choices.contains { $0.value == text }
    return choices + (isKnown ? [] : [DraftChoice(text, .notOnThisDevice)])
  }

  /// Returns a checkbox for each choice, or nothing without choices.
  @HTMLBuilder private static func view(
    of choices: [DraftChoice], _ label: String, at path: String, _ text: String, hint: String?,
    problem: String?, _ say: Localizer
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
  fileprivate static let notOnThisDevice = LocalizedText(
    en: "Not on this device", ru: "Нет на этом устройстве")
  fileprivate static let editedElsewhere = LocalizedText(
    en: "This field was edited elsewhere, too.", ru: "Это поле изменили и в другом месте.")
}
