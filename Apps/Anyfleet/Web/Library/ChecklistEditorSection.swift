import Anyfleet
import Foundation
import OffshorePresentation
import OffshoreWeb

/// A section in a checklist's form, with its items.
@MainActor
struct ChecklistEditorSection {
  let section: ChecklistSection
  /// Its place, from 1 on.
  let number: Int
  let viewModel: ChecklistEditorViewModel
  let say: Speaker

  var html: HTML {
    fieldset(.id("section-\(section.id)")) {
      legend { say(.section(number)) }
      HiddenValue("section", section.id.uuidString)
      Field(
        say(.sectionTitle), name: "section-title", value: section.title,
        error: problem(.sectionTitle(section.id)), isRequired: true, id: "title-\(section.id)")
      CheckField(
        say(.isExpanded), name: "section-expanded", isOn: section.isExpandedByDefault,
        id: "expanded-\(section.id)")
      sectionTools
      for (index, item) in section.items.enumerated() { itemView(item, index + 1) }
      div(.class("tools")) {
        SubmitButton(
          say(.addItem), style: .plain, label: say(.named(.addItem, name)),
          action: ChecklistEditorAction.addItem(section: section.id).text)
      }
    }
  }

  /// What the section is called on buttons.
  private var name: String { section.title.isEmpty ? say(.section(number)) : section.title }

  /// At the head of the section, away from the buttons of its last item. Removing takes two steps, with
  /// and without the script.
  @HTMLBuilder private var sectionTools: HTML {
    div(.class("tools")) {
      for move in [ChecklistFormState.Move.up, .down] {
        tool(move.text, name, .moveSection(section.id, move))
      }
    }
    details(.id("remove-\(section.id)"), .class("remove")) {
      summary(.ariaLabel(say(.named(.removeSection, name)))) { say(.removeSection) }
      p(.class("hint")) { say(.itemsGoToo) }
      SubmitButton(
        say(.remove(name)), style: .destructive,
        action: ChecklistEditorAction.removeSection(section.id).text)
    }
  }

  private func itemView(_ item: ChecklistItem, _ number: Int) -> HTML {
    div(.class("entry"), .id("item-\(item.id)"), .role(.group), .ariaLabel(say(.item(number)))) {
      HiddenValue("item", item.id.uuidString)
      Field(
        say(.whatToCheck), name: "item-title", value: item.title, kind: .text(rows: 1),
        error: problem(.itemTitle(item.id)), isRequired: true, id: "title-\(item.id)")
      Field(
        say(.note), name: "item-note", value: item.note ?? "", kind: .text(rows: 2),
        hint: say(.optional), error: problem(.itemNote(item.id)), id: "note-\(item.id)")
      CheckField(
        say(.isCritical), name: "item-critical", isOn: item.isCritical,
        id: "critical-\(item.id)")
      itemTools(item, item.title.isEmpty ? say(.item(number)) : item.title)
    }
  }

  private func itemTools(_ item: ChecklistItem, _ name: String) -> HTML {
    div(.class("tools")) {
      for move in [ChecklistFormState.Move.up, .down] {
        tool(move.text, name, .moveItem(item.id, move))
      }
      tool(.remove, name, .removeItem(item.id))
    }
  }

  private func tool(
    _ text: LocalizedText, _ name: String, _ action: ChecklistEditorAction
  ) -> SubmitButton {
    SubmitButton(say(text), style: .plain, label: say(.named(text, name)), action: action.text)
  }

  private func problem(_ field: ChecklistFormField) -> String? {
    viewModel.problem(field).map { say($0) }
  }
}

extension ChecklistFormState.Move {
  fileprivate var text: LocalizedText {
    switch self {
    case .up: .moveUp
    case .down: .moveDown
    }
  }
}
