import Foundation
import OffshorePresentation

/// A checklist that every library begins with, before it belongs to anybody.
///
/// Keys are words that never change, because ids are derived from them: two devices of an account
/// begin with the same checklist, also where a later version words an item better, and where they
/// speak different languages.
struct SeedChecklist: Sendable {
  struct Section: Sendable {
    let key: String
    let title: LocalizedText
    var isExpanded = true
    let items: [Item]
  }

  struct Item: Sendable {
    let key: String
    let title: LocalizedText
    let note: LocalizedText?
    let isCritical: Bool

    init(
      _ key: String, en english: LocalizedText.Phrase, ru russian: LocalizedText.Phrase,
      note: LocalizedText? = nil,
      isCritical: Bool = false
    ) {
      self.key = key
      title = LocalizedText(en: english, ru: russian)
      self.note = note
      self.isCritical = isCritical
    }
  }

  let key: String
  let title: LocalizedText
  let description: LocalizedText
  let sections: [Section]

  /// The checklists that every library begins with.
  static let all = [checkIn, departure, safetyBriefing]

  /// The checklist as a user's own in a language, with ids that depend on the user and the keys alone.
  func checklist(of userID: UUID, in language: Language, at now: Date) -> Checklist {
    let id = UUID(name: "checklist.\(key)", in: userID)
    return Checklist(
      id: id, title: title.in(language),
      sections: sections.map { section in
        let sectionID = UUID(name: section.key, in: id)
        return ChecklistSection(
          id: sectionID, title: section.title.in(language),
          isExpandedByDefault: section.isExpanded,
          items: section.items.map { item in
            ChecklistItem(
              id: UUID(name: item.key, in: sectionID), title: item.title.in(language),
              note: item.note?.in(language),
              isCritical: item.isCritical)
          })
      },
      creatorID: userID, description: description.in(language), createdAt: now)
  }
}
