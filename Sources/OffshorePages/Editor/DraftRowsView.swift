import OffshorePresentation
import OffshoreWeb

/// The rows of a field, with buttons that add, move and remove them.
///
/// A row that has rows itself is removed in two steps, with and without the script, and has its buttons at
/// its head, away from those of its last row.
@MainActor struct DraftRowsView {
  private let declared: DraftRows
  private let path: String
  private let rows: [DraftRow]
  private let problems: [String: LocalizedText]
  private let say: Speaker

  init(
    _ declared: DraftRows, at path: String, _ rows: [DraftRow],
    _ problems: [String: LocalizedText], _ say: Speaker
  ) {
    self.declared = declared
    self.path = path
    self.rows = rows
    self.problems = problems
    self.say = say
  }

  @HTMLBuilder var html: HTML {
    for (index, row) in rows.enumerated() { view(of: row, say(declared.title(index + 1))) }
    div(.class(isInner ? "tools" : "buttons")) { tool(.add, path, declared.add) }
  }

  /// Whether the rows are within a row.
  private var isInner: Bool { path.contains(".") }

  private var hasInnerRows: Bool {
    declared.controls.contains { if case .rows = $0.kind { true } else { false } }
  }

  /// Whether the fields of a row stand side by side, because each is a line with few characters.
  private var isLine: Bool {
    declared.controls.count == 2 && declared.controls.allSatisfy(\.kind.isShort)
  }

  @HTMLBuilder private func view(of row: DraftRow, _ title: String) -> HTML {
    let place = "\(path).\(row.id)"
    if isInner {
      div(.class("entry"), .id("row-\(place)"), .role(.group), .ariaLabel(title)) {
        content(of: row, at: place, title)
      }
    } else {
      fieldset(.id("row-\(place)")) {
        legend { title }
        content(of: row, at: place, title)
      }
    }
  }

  @HTMLBuilder private func content(
    of row: DraftRow, at place: String, _ title: String
  ) -> HTML {
    let name = name(of: row) ?? title
    HiddenValue(path, row.id)
    if isLine {
      div(.class("pair")) {
        for control in declared.controls { field(control, of: row, at: place) }
      }
    } else {
      for control in declared.controls {
        if case .rows = control.kind {
          div(.class("tools")) { moves(place, name) }
          removal(place, name)
        }
        field(control, of: row, at: place)
      }
    }
    if !hasInnerRows {
      div(.class("tools")) {
        moves(place, name)
        tool(.remove, place, .remove, of: name)
      }
    }
  }

  private func field(
    _ control: DraftControl, of row: DraftRow, at place: String
  ) -> DraftFieldView {
    DraftFieldView(
      control, at: "\(place).\(control.name)", row.texts[control.name] ?? "", problems, say)
  }

  /// The name of a row on buttons: the text of its first field.
  private func name(of row: DraftRow) -> String? {
    let text = declared.controls.first.flatMap { row.texts[$0.name] } ?? ""
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  @HTMLBuilder private func moves(_ place: String, _ name: String) -> HTML {
    tool(.up, place, .moveUp, of: name)
    tool(.down, place, .moveDown, of: name)
  }

  private func tool(
    _ kind: DraftRowChange.Kind, _ place: String, _ title: LocalizedText, of name: String? = nil
  ) -> SubmitButton {
    SubmitButton(
      say(title), style: .plain, label: name.map { "\(say(title)): \($0)" },
      action: DraftRowChange(kind, place).text)
  }

  private func removal(_ place: String, _ name: String) -> HTML {
    details(.id("remove-\(place)"), .class("remove")) {
      summary(.ariaLabel("\(say(.remove)): \(name)")) { say(.remove) }
      p(.class("hint")) { say(.removesAll) }
      SubmitButton(
        say(.remove(name)), style: .destructive, action: DraftRowChange(.remove, place).text)
    }
  }
}

extension LocalizedText {
  fileprivate static let moveUp = LocalizedText(en: "Move up", ru: "Выше")
  fileprivate static let moveDown = LocalizedText(en: "Move down", ru: "Ниже")
  fileprivate static let removesAll = LocalizedText(
    en: "Everything in it is removed, too.", ru: "Всё, что внутри, будет убрано вместе с ним.")
}
