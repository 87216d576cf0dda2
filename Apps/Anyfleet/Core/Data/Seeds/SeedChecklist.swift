import Foundation
import OffshorePresentation
import OffshoreSync

/// A checklist that is a seed of every library, independent of the user.
///
/// Keys never change, because ids are derived from them. Two devices of an account therefore start
/// with the same checklist, even if a later version rewords an item or the devices use different
/// languages.
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

  /// The seeds of every library.
  static let all = [CheckInSeed.checklist, DepartureSeed.checklist, SafetyBriefingSeed.checklist]

  /// Returns a user's checklist in a language. Its ids depend on the user and the keys only.
  func checklist(of userID: UUID, in language: Language, at now: Date) -> Checklist {
    checklist(UUID(name: "checklist.\(key)", in: userID), of: userID, in: language, at: now)
  }

  /// Returns a checklist that a user adds in another language than the seeded one. Its ids depend
  /// on the user, the language and the keys only.
  func addition(of userID: UUID, in language: Language, at now: Date) -> Checklist {
    let id = UUID(name: "checklist.\(key).\(language.code)", in: userID)
    return checklist(id, of: userID, in: language, at: now)
  }

  private func checklist(
    _ id: UUID, of userID: UUID, in language: Language, at now: Date
  ) -> Checklist {
    Checklist(
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

  /// Returns the language of most of a checklist's items, compared with the seed's; `nil` if none
  /// is equal.
  func language(of checklist: Checklist) -> Language? {
    let titles = Set(checklist.items.map(\.title))
    let counts = Language.shipped.map { language in
      let own = sections.flatMap(\.items).filter { titles.contains($0.title.in(language)) }
      return (language, own.count)
    }
    return counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil }
  }
}
