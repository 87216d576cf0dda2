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
      for (index, item) in section.items.enumerated() { itemView(item, index + 1) }
      tools(say(.section(number))) { move in
        move.map { .moveSection(section.id, $0) } ?? .removeSection(section.id)
      } first: {
        SubmitButton(
          say(.addItem), style: .plain, label: say(.named(.addItem, say(.section(number)))),
          action: ChecklistEditorAction.addItem(section: section.id).text)
      }
    }
  }

  private func itemView(_ item: ChecklistItem, _ number: Int) -> HTML {
    div(.class("entry"), .id("item-\(item.id)"), .role(.group), .ariaLabel(say(.item(number)))) {
      HiddenValue("item", item.id.uuidString)
      Field(
        say(.whatToCheck), name: "item-title", value: item.title,
        error: problem(.itemTitle(item.id)), isRequired: true, id: "title-\(item.id)")
      Field(
        say(.note), name: "item-note", value: item.note ?? "", kind: .text(rows: 2),
        hint: say(.optional), error: problem(.itemNote(item.id)), id: "note-\(item.id)")
      CheckField(
        say(.isCritical), name: "item-critical", isOn: item.isCritical,
        id: "critical-\(item.id)")
      tools(item.title.isEmpty ? say(.item(number)) : item.title) { move in
        move.map { .moveItem(item.id, $0) } ?? .removeItem(item.id)
      }
    }
  }

  /// Buttons to move something and, where the move is `nil`, to remove it.
  private func tools(
    _ name: String, action: (ChecklistFormState.Move?) -> ChecklistEditorAction,
    @HTMLBuilder first: () -> HTML = { HTML() }
  ) -> HTML {
    div(.class("tools")) {
      first()
      for (text, move) in [
        (LocalizedText.moveUp, ChecklistFormState.Move.up), (.moveDown, .down), (.remove, nil),
      ] as [(LocalizedText, ChecklistFormState.Move?)] {
        SubmitButton(
          say(text), style: .plain, label: say(.named(text, name)), action: action(move).text)
      }
    }
  }

  private func problem(_ field: ChecklistFormField) -> String? {
    viewModel.problem(field).map { say($0) }
  }
}
