import Foundation

/// A checklist that every library begins with, before it belongs to anybody.
///
/// Keys are words that never change, because ids are derived from them: two devices of an account
/// begin with the same checklist, also where a later version words an item better.
struct SeedChecklist: Sendable {
  struct Section: Sendable {
    let key: String
    let title: String
    var isExpanded = true
    let items: [Item]
  }

  struct Item: Sendable {
    let key: String
    let title: String
    let note: String?
    let isCritical: Bool

    init(_ key: String, _ title: String, note: String? = nil, isCritical: Bool = false) {
      self.key = key
      self.title = title
      self.note = note
      self.isCritical = isCritical
    }
  }

  let key: String
  let title: String
  let description: String
  let sections: [Section]

  /// The checklists that every library begins with.
  static let all = [checkIn, departure, safetyBriefing]

  /// The checklist as a user's own, with ids that depend on the user and the keys alone.
  func checklist(of userID: UUID, at now: Date) -> Checklist {
    let id = UUID(name: "checklist.\(key)", in: userID)
    return Checklist(
      id: id, title: title,
      sections: sections.map { section in
        let sectionID = UUID(name: section.key, in: id)
        return ChecklistSection(
          id: sectionID, title: section.title, isExpandedByDefault: section.isExpanded,
          items: section.items.map { item in
            ChecklistItem(
              id: UUID(name: item.key, in: sectionID), title: item.title, note: item.note,
              isCritical: item.isCritical)
          })
      },
      creatorID: userID, description: description, createdAt: now)
  }
}
