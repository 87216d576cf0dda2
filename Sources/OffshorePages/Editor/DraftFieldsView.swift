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
  private let say: Speaker
  private let changed: String?

  /// Creates the view of the fields.
  /// - Parameter changed: the field whose rows a button has just changed. If it is under
  ///   “More”, that part stays expanded.
  init(_ draft: Draft<Entry>, _ say: Speaker, changed: String? = nil) {
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
        .id("more-fields"), .class("section"), .open(isOpen), .neededOpen(isNeeded)
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
    case .line, .number, .amount, .day, .choice: true
    case .text, .check, .choices, .rows: false
    }
  }
}
