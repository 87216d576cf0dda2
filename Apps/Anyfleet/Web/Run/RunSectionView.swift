import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// A section of a checklist that can be folded away, with its items to tick.
@MainActor
struct RunSectionView {
  let section: ChecklistSection
  let viewModel: ChecklistExecutionViewModel
  let say: Speaker
  let tab: Tab

  var html: HTML {
    details(
      .id("items-\(section.id)"), .class("section"),
      .open(viewModel.expandedSections.contains(section.id))
    ) {
      summary(.id("share-\(section.id)")) { h2 { "\(section.title), \(share)" } }
      Card(label: section.title) {
        for item in section.items {
          tab.memo(RunItemView(item: item, viewModel: viewModel, say: say))
        }
      }
    }
  }

  private var share: String {
    say(.share(viewModel.checkedCount(in: section), of: section.items.count))
  }
}
