public import Foundation
public import Offshore
package import OffshoreJSON
public import OffshorePresentation

/// A checklist that is made or edited.
public typealias ChecklistEditorViewModel = Draft<Checklist>

/// A template of things to check, in sections.
public struct Checklist: Entity, Hashable {
  public var id: UUID
  public var title: String
  public var description: String?
  public var sections: [ChecklistSection]
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

  /// The most characters that a description may have.
  public static let maximumDescriptionLength = 500
  /// The most sections that there may be.
  public static let maximumSectionCount = 50
  /// The most items that there may be in all sections.
  public static let maximumItemCount = 500

  // MARK: Items

  /// The items of all sections, in order.
  public var items: [ChecklistItem] { sections.flatMap(\.items) }

  /// The ids of all items.
  public var itemIDs: Set<UUID> { Set(sections.lazy.flatMap(\.items).map(\.id)) }

  // MARK: Declaration

  public static let name = "checklist"

  public static let table = Table(
    "checklists",
    { id, title, description, sections, creatorID, createdAt, updatedAt in
      Checklist(
        id: id, title: title, sections: sections, creatorID: creatorID, description: description,
        createdAt: createdAt, updatedAt: updatedAt)
    },
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("description", \.description),
    Column("sections", \.sections, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt)
  ).index(\.creatorID, name: "idx_checklists_creator")

  public static let fields: [DraftField<Self>] = [
    titleField(\.title),
    .text(
      "description", \.description, label: .description, hint: .optional, rows: 3,
      limit: maximumDescriptionLength),
    .rows(
      "sections", \.sections, label: .init(en: "Sections", ru: "Разделы"),
      fields: ChecklistSection.fields, limit: maximumSectionCount,
      title: { LocalizedText(en: "Section \($0)", ru: "Раздел \($0)") },
      add: .init(en: "Add section", ru: "Добавить раздел"), check: problem,
      new: { .blank($0) }),
  ]

  @Sendable private static func problem(of sections: [ChecklistSection]) -> LocalizedText? {
    switch sections.reduce(0, { $0 + $1.items.count }) {
    case 0: .addItem
    case ...maximumItemCount: nil
    default: .tooManyItems(maximumItemCount)
    }
  }

  public static let texts = EntityTexts(
    one: .init(en: "Checklist", ru: "Чек-лист"), many: .init(en: "Checklists", ru: "Чек-листы"),
    new: .init(en: "New checklist", ru: "Новый чек-лист"),
    none: .init(en: "No checklists", ru: "Чек-листов нет"),
    hint: .init(
      en: "Write one of your own, and run it in each of your charters.",
      ru: "Составьте свой и проходите его в каждом чартере."),
    counted: {
      .counted(
        $0, en: .init(one: "# checklist", other: "# checklists"),
        ru: .init(one: "# чек-лист", few: "# чек-листа", many: "# чек-листов"))
    })

  public var subtitle: LocalizedText? { .items(items.count) }

  public static func blank(_ new: NewEntity) -> Checklist {
    Checklist(
      id: new.id, title: "", sections: [.blank(new.makeID)], creatorID: new.creatorID,
      createdAt: new.createdAt)
  }

  public mutating func renewIDs(_ makeID: () -> UUID) {
    for section in sections.indices {
      sections[section].id = makeID()
      for item in sections[section].items.indices { sections[section].items[item].id = makeID() }
    }
  }

  /// Counts the progress on a checklist anew in every charter that has no snapshot of it.
  public static func updateDependants(of id: UUID, _ writer: Writer) throws {
    try LocalRepository.countProgress(of: ExecutionRow.where { $0.checklistID == id }, writer)
  }
}

/// A part of a checklist that can be folded away.
public struct ChecklistSection: Identifiable, Equatable, Hashable, Codable, Sendable {
  /// The most characters that a title may have.
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
  /// The most characters that a title may have.
  public static let maximumTitleLength = 120
  /// The most characters that a note may have.
  public static let maximumNoteLength = 500

  public var id: UUID
  public var title: String
  /// A hint on how to check it.
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

// MARK: - JSON

// Pages read many checklists, and therefore without a decoder.

extension ChecklistSection: ScannedJSON {
  package init(_ scanner: inout JSONScanner) throws {
    var id: UUID?
    var title: String?
    var isExpandedByDefault: Bool?
    var items: [ChecklistItem]?
    try scanner.object { scanner, key in
      switch key {
      case "id" where id == nil: id = try scanner.uuid()
      case "title" where title == nil: title = try scanner.string()
      case "isExpandedByDefault" where isExpandedByDefault == nil:
        isExpandedByDefault = try scanner.bool()
      case "items" where items == nil: items = try [ChecklistItem](&scanner)
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let id, let title, let isExpandedByDefault, let items else {
      throw JSONScanner.Fault.unusualMembers
    }
    self.init(id: id, title: title, isExpandedByDefault: isExpandedByDefault, items: items)
  }
}

extension ChecklistItem: ScannedJSON {
  package init(_ scanner: inout JSONScanner) throws {
    var id: UUID?
    var title: String?
    var note: String??
    var isCritical: Bool?
    try scanner.object { scanner, key in
      switch key {
      case "id" where id == nil: id = try scanner.uuid()
      case "title" where title == nil: title = try scanner.string()
      case "note" where note == nil: note = .some(scanner.takeNull() ? nil : try scanner.string())
      case "isCritical" where isCritical == nil: isCritical = try scanner.bool()
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let id, let title, let isCritical else { throw JSONScanner.Fault.unusualMembers }
    self.init(id: id, title: title, note: note ?? nil, isCritical: isCritical)
  }
}

// MARK: - Forms

extension ChecklistSection {
  /// A section with an empty item.
  fileprivate static func blank(_ makeID: () -> UUID) -> ChecklistSection {
    let id = makeID()
    return ChecklistSection(id: id, title: "", items: [ChecklistItem(id: makeID(), title: "")])
  }

  fileprivate static let fields: [DraftField<Self>] = [
    .line(
      "title", \.title, label: .init(en: "Section title", ru: "Название раздела"),
      limit: maximumTitleLength, isRequired: true,
      missing: .init(en: "Enter a title for the section.", ru: "Введите название раздела.")),
    .check(
      "isExpanded", \.isExpandedByDefault,
      label: .init(
        en: "Shows its items when the checklist is opened", ru: "Пункты видны сразу при открытии")
    ).underMore(),
    .rows(
      "items", \.items, label: .init(en: "Items", ru: "Пункты"), fields: ChecklistItem.fields,
      limit: Checklist.maximumItemCount,
      title: { LocalizedText(en: "Item \($0)", ru: "Пункт \($0)") },
      add: .init(en: "Add item", ru: "Добавить пункт"),
      new: { ChecklistItem(id: $0(), title: "") }),
  ]
}

extension ChecklistItem {
  fileprivate static let fields: [DraftField<Self>] = [
    .line(
      "title", \.title, label: .init(en: "What to check", ru: "Что проверить"),
      limit: maximumTitleLength, isRequired: true,
      missing: .init(
        en: "Enter the thing to check, or remove the item.",
        ru: "Введите, что нужно проверить, или удалите пункт."), wraps: true),
    .text(
      "note", \.note, label: .init(en: "Note", ru: "Заметка"), hint: .optional, rows: 2,
      limit: maximumNoteLength
    ).underMore(mark: "✎"),
    .check(
      "isCritical", \.isCritical,
      label: .init(
        en: "Critical: safety depends on it", ru: "Важно: от этого зависит безопасность")
    ).underMore(mark: "!"),
  ]
}

extension LibraryStore {
  /// The checklists by their titles.
  public var checklists: ViewState<[Checklist]> { entries() }
}

extension LibraryRepository {
  /// Fetches a checklist, or `nil` if there is none of that id.
  public func fetchChecklist(_ id: UUID) async throws -> Checklist? {
    try await entities.fetch(Checklist.self, id)
  }
  /// Fetches all checklists by their titles.
  public func fetchUserChecklists() async throws -> [Checklist] { try await entities.fetchAll() }
  /// Stores a checklist. Progress on it is counted anew in every charter that has no snapshot of it.
  public func saveChecklist(_ checklist: Checklist) async throws {
    try await entities.save(checklist)
  }
  /// Deletes a checklist. Progress on it and snapshots of it stay until their charter is deleted.
  @discardableResult
  public func deleteChecklist(_ id: UUID) async throws -> RemovedEntity? {
    try await entities.delete(Checklist.self, id)
  }
}

extension AppRoute {
  /// The form of a new checklist.
  public static var createChecklist: AppRoute { .newEntry(EntityKind(Checklist.self)) }
  /// The page of a checklist.
  public static func checklistDetail(_ id: UUID) -> AppRoute {
    .entry(EntityKind(Checklist.self), id)
  }
  /// The form of a checklist.
  public static func editChecklist(_ id: UUID) -> AppRoute {
    .editEntry(EntityKind(Checklist.self), id)
  }
}

extension LocalizedText {
  /// A number of items.
  public static func items(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# item", other: "# items"),
      ru: .init(one: "# пункт", few: "# пункта", many: "# пунктов"))
  }

  fileprivate static let addItem = LocalizedText(
    en: "Add at least one item.", ru: "Добавьте хотя бы один пункт.")

  fileprivate static func tooManyItems(_ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(
        one: "A checklist may have # item.", other: "A checklist may have at most # items."),
      ru: .init(
        one: "В чек-листе может быть не больше # пункта.",
        few: "В чек-листе может быть не больше # пунктов.",
        many: "В чек-листе может быть не больше # пунктов."))
  }

  fileprivate static let description = LocalizedText(en: "Description", ru: "Описание")
  fileprivate static let optional = LocalizedText(en: "Optional.", ru: "Необязательно.")
}

/// How much of a checklist's current items is checked, and since when all of them are.
///
/// This is a function of the checklist and the states alone, so that every device computes the
/// same.
public struct ChecklistCompletion: Equatable, Sendable {
  /// How many of the current items are checked.
  public let checkedCount: Int
  /// How many items there are.
  public let itemCount: Int
  /// When the last one was checked, if all are and there is one.
  public let completedAt: Date?

  /// Looks at the items of a checklist.
  ///
  /// - Parameter checkedAt: for each checked item when that was.
  public init(itemIDs: some Collection<UUID>, checkedAt: [UUID: Date]) {
    let dates = itemIDs.compactMap { checkedAt[$0] }
    itemCount = itemIDs.count
    checkedCount = dates.count
    completedAt = dates.count == itemIDs.count ? dates.max() : nil
  }

  /// The checked share as 0…1; 0 if there is no item.
  public var fraction: Double { itemCount > 0 ? Double(checkedCount) / Double(itemCount) : 0 }

  /// The checked share as 0…100, rounded down so that 100 means all.
  public var percent: Int { itemCount > 0 ? checkedCount * 100 / itemCount : 0 }
}
