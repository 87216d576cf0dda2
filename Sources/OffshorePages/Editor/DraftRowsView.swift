public import OffshorePresentation
import OffshoreWeb

/// The rows of a field. Each can be moved, and has a menu with its collapsed fields and its
/// buttons.
///
/// A row that itself has rows is removed in two steps, with and without the script.
@MainActor struct DraftRowsView {
  private let declared: DraftRows
  private let path: String
  private let rows: [DraftRow]
  private let problems: [String: LocalizedText]
  private let say: Localizer
  private let edges: Set<SortRow.Direction>

  /// Creates the view of rows.
  /// - Parameter edges: the edges of the outer rows at which the row of these rows lies. At such an
  ///   edge, a row cannot move to another outer row.
  init(
    _ declared: DraftRows, at path: String, _ rows: [DraftRow],
    _ problems: [String: LocalizedText], _ say: Localizer, edges: Set<SortRow.Direction>
  ) {
    self.declared = declared
    self.path = path
    self.rows = rows
    self.problems = problems
    self.say = say
    self.edges = edges
  }

  @HTMLBuilder var html: HTML {
    SortList(
      id: "rows-\(path)", group: kind, moveMessage: say(.moved("{n}", of: "{m}")),
      isCard: !isInner && !hasInnerRows
    ) {
      for (index, row) in rows.enumerated() { view(of: row, at: index) }
    }
    div(.class(isInner ? "tools" : "buttons")) { tool(.add, path, declared.addLabel) }
  }

  /// Whether the rows are nested in a row.
  private var isInner: Bool { path.contains(".") }

  /// The path without the ids of rows.
  private var kind: String {
    path.split(separator: ".").enumerated().filter { $0.offset.isMultiple(of: 2) }
      .map { String($0.element) }.joined(separator: ".")
  }

  private var hasInnerRows: Bool { declared.controls.contains(where: \.hasRows) }

  private var folded: [DraftControl] { declared.controls.filter(\.isUnderMore) }

  private var shown: [DraftControl] {
    declared.controls.filter { !$0.isUnderMore && !$0.hasRows }
  }

  private func view(of row: DraftRow, at index: Int) -> SortRow {
    let title = say(declared.title(index + 1))
    let place = "\(path).\(row.id)"
    let name = name(of: row) ?? title
    let filled = folded.filter { $0.mark != nil && !(row.texts[$0.name] ?? "").isEmpty }
    let remarks = filled.isEmpty ? "" : " (\(filled.map { say($0.label) }.joined(separator: ", ")))"
    return SortRow(
      id: "row-\(place)", label: title, handleLabel: say(.moveByKeys(name)),
      menuLabel: "\(say(.more)): \(name)\(remarks)", menuSigns: filled.compactMap(\.mark),
      isOpen: folded.contains { problems["\(place).\($0.name)"] != nil }
    ) {
      HiddenValue(path, row.id)
      fields(of: row, at: place)
    } menuContent: {
      for control in folded { field(control, of: row, at: place) }
      div(.class("tools")) {
        moves(place, name, at: index)
        if !hasInnerRows { tool(.remove, place, .remove, of: name) }
      }
      if hasInnerRows { removal(place, name) }
    } nested: {
      for control in declared.controls where control.hasRows {
        field(control, of: row, at: place, edges: edges(at: index))
      }
    }
  }

  /// Returns the fields that are always visible, two short ones side by side. Up to two show their
  /// labels inside.
  @HTMLBuilder private func fields(of row: DraftRow, at place: String) -> HTML {
    let isPair = shown.count == 2 && shown.allSatisfy(\.kind.isShort)
    div(.class(isPair ? "pair" : "lines")) {
      for control in shown {
        field(control, of: row, at: place, isCompact: shown.count < 3)
      }
    }
  }

  private func field(
    _ control: DraftControl, of row: DraftRow, at place: String, isCompact: Bool = false,
    edges: Set<SortRow.Direction> = []
  ) -> DraftFieldView {
    DraftFieldView(
      control, at: "\(place).\(control.name)", row.texts[control.name] ?? "", problems, say,
      isCompact: isCompact, edges: edges)
  }

  /// Returns the name of a row for its buttons: the text of its first field.
  private func name(of row: DraftRow) -> String? {
    let text = declared.controls.first.flatMap { row.texts[$0.name] } ?? ""
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Returns the edges of the outermost rows at which a row lies.
  private func edges(at index: Int) -> Set<SortRow.Direction> {
    edges.filter { index == ($0 == .up ? 0 : rows.count - 1) }
  }

  @HTMLBuilder private func moves(_ place: String, _ name: String, at index: Int) -> HTML {
    let edges = edges(at: index)
    if !edges.contains(.up) { tool(.up, place, .moveUp, of: name, moving: .up) }
    if !edges.contains(.down) { tool(.down, place, .moveDown, of: name, moving: .down) }
  }

  private func tool(
    _ kind: DraftRowChange.Kind, _ place: String, _ title: LocalizedText, of name: String? = nil,
    moving way: SortRow.Direction? = nil
  ) -> SubmitButton {
    SubmitButton(
      say(title), style: .plain, label: name.map { "\(say(title)): \($0)" },
      action: DraftRowChange(kind, place).text, moving: way)
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

extension DraftControl {
  fileprivate var hasRows: Bool { if case .rows = kind { true } else { false } }
}

extension LocalizedText {
  /// The label of a button that moves a row up.
  public static let moveUp = LocalizedText(en: "Move up", ru: "Выше")
  /// The label of a button that moves a row down.
  public static let moveDown = LocalizedText(en: "Move down", ru: "Ниже")

  /// Returns the label of the handle that moves a row.
  public static func moveByKeys(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "Move “\(name)” with the arrow keys", ru: "Переместить «\(name)» клавишами со стрелками")
  }

  /// Returns a sentence about a row that was moved, with its new position and the number of rows.
  public static func moved(_ place: String, of count: String) -> LocalizedText {
    LocalizedText(en: "Now \(place) of \(count).", ru: "Теперь \(place) из \(count).")
  }

  /// The first word of the label of a menu.
  public static let more = LocalizedText(en: "More", ru: "Ещё")

  fileprivate static let removesAll = LocalizedText(
    en: "Everything in it is removed, too.", ru: "Всё, что внутри, будет убрано вместе с ним.")
}
