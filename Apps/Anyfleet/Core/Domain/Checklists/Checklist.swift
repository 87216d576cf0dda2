public import Foundation

/// A template of things to check, in sections.
public struct Checklist: Identifiable, Equatable, Hashable, Sendable {
  public var id: UUID
  public var title: String
  public var description: String?
  public var sections: [ChecklistSection]
  /// Who made it: the session's user.
  public var creatorID: UUID
  public var createdAt: Date
  public var updatedAt: Date

  /// Creates a checklist.
  public init(
    id: UUID, title: String, sections: [ChecklistSection], creatorID: UUID,
    description: String? = nil, createdAt: Date = Date(), updatedAt: Date? = nil
  ) {
    self.id = id
    self.title = title
    self.description = description
    self.sections = sections
    self.creatorID = creatorID
    self.createdAt = createdAt
    self.updatedAt = updatedAt ?? createdAt
  }

  // MARK: Limits

  /// How many characters a description may have.
  public static let maximumDescriptionLength = 500
  /// How many sections there may be.
  public static let maximumSectionCount = 50
  /// How many items there may be in all sections.
  public static let maximumItemCount = 500

  // MARK: Items

  /// The items of all sections, in order.
  public var items: [ChecklistItem] { sections.flatMap(\.items) }

  /// The ids of all items.
  public var itemIDs: Set<UUID> { Set(sections.lazy.flatMap(\.items).map(\.id)) }
}

/// A part of a checklist that can be folded away.
public struct ChecklistSection: Identifiable, Equatable, Hashable, Codable, Sendable {
  /// How many characters a title may have.
  public static let maximumTitleLength = 80

  public var id: UUID
  public var title: String
  /// Whether the items show when the checklist is opened.
  public var isExpandedByDefault: Bool
  public var items: [ChecklistItem]

  /// Creates a section.
  public init(
    id: UUID, title: String, isExpandedByDefault: Bool = true, items: [ChecklistItem] = []
  ) {
    self.id = id
    self.title = title
    self.isExpandedByDefault = isExpandedByDefault
    self.items = items
  }
}

/// One thing to check.
public struct ChecklistItem: Identifiable, Equatable, Hashable, Codable, Sendable {
  /// How many characters a title may have.
  public static let maximumTitleLength = 120
  /// How many characters a note may have.
  public static let maximumNoteLength = 500

  public var id: UUID
  public var title: String
  /// What to look for.
  public var note: String?
  /// Whether safety depends on it.
  public var isCritical: Bool

  /// Creates an item.
  public init(id: UUID, title: String, note: String? = nil, isCritical: Bool = false) {
    self.id = id
    self.title = title
    self.note = note
    self.isCritical = isCritical
  }
}

/// A checklist as a charter runs it: a snapshot that its crew shares and may change, while the
/// library's template stays as it is.
public struct CharterChecklist: Equatable, Hashable, Sendable {
  public let charterID: UUID
  /// Its place among the charter's checklists, the least first.
  public var position: Int
  /// The checklist, under the id that it has in the library.
  public var snapshot: Checklist

  /// Creates a charter's checklist.
  public init(charterID: UUID, position: Int, snapshot: Checklist) {
    self.charterID = charterID
    self.position = position
    self.snapshot = snapshot
  }

  /// The id of the checklist in the library.
  public var checklistID: UUID { snapshot.id }
}
