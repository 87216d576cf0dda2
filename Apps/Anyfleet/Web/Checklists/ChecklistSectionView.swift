import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// A section of a checklist that can be folded away, with its items to tick.
@MainActor
struct ChecklistSectionView {
  let section: ChecklistSection
  let viewModel: ChecklistExecutionViewModel

  var html: HTML {
    details(
      .id("items-\(section.id)"), .class("section"),
      .open(viewModel.expandedSections.contains(section.id))
    ) {
      summary {
        h2 { "\(section.title), \(checkedCount) of \(section.items.count)" }
      }
      Card(label: section.title) {
        for item in section.items { row(item) }
      }
    }
  }

  private var checkedCount: Int {
    let checked = viewModel.checkedItems
    return section.items.count { checked.contains($0.id) }
  }

  private func row(_ item: ChecklistItem) -> TickRow {
    TickRow(
      item.title, isOn: viewModel.checkedItems.contains(item.id),
      to: Address.item(item.id, of: viewModel.checklistID, in: viewModel.charterID),
      text: item.note, error: viewModel.saveErrors[item.id]?.localizedMessage.in(.english),
      id: "item-\(item.id)"
    ) {
      if item.isCritical { Badge("Critical", tone: .bad) }
    }
  }
}
