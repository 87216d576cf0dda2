public import Anyfleet
public import OffshorePages
public import OffshorePresentation
public import OffshoreWeb

extension Checklist: ShownEntity {
  public static let icon = Icon("list-check", text: "✓")

  public func content(_ say: Localizer) -> HTML {
    if let description { p(.class("sub")) { description } }
    for section in sections { view(of: section, say) }
  }

  @MainActor private func view(of section: ChecklistSection, _ say: Localizer) -> HTML {
    details(
      .id("section-\(section.id)"), .class("section"), .open(section.isExpandedByDefault)
    ) {
      summary {
        h2 { "\(section.title), \(say(.items(section.items.count)))" }
      }
      if !section.items.isEmpty {
        Card(label: section.title) {
          for item in section.items { row(item, say) }
        }
      }
    }
  }

  @MainActor private func row(_ item: ChecklistItem, _ say: Localizer) -> HTML {
    div(.class("row"), .id("item-\(item.id)")) {
      span(.class("label")) {
        item.title
        if let note = item.note { small { note } }
      }
      if item.isCritical { Badge(say(.critical), tone: .bad) }
    }
  }
}
