public import Foundation
public import Offshore
package import OffshoreJSON
public import OffshorePresentation

/// The form of a new or stored checklist.
package typealias ChecklistEditorViewModel = Draft<Checklist>

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

  /// The maximum number of characters of a description.
  public static let maximumDescriptionLength = 500
  /// The maximum number of sections.
  public static let maximumSectionCount = 50
  /// The maximum number of items in all sections.
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

  /// Counts the progress of the checklist again in every charter without a snapshot of it.
  public static func updateDependants(of id: UUID, _ writer: Writer) throws {
    try ExecutionRow.countProgress(of: ExecutionRow.where { $0.checklistID == id }, writer)
  }
}

/// A section of a checklist, which can be collapsed.
public struct ChecklistSection: Identifiable, Equatable, Hashable, Codable, Sendable {
  /// The maximum number of characters of a title.
  public static let maximumTitleLength = 80

  public var id: UUID
  public var title: String
  /// Whether the section is expanded when the checklist is opened.
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
  /// The maximum number of characters of a title.
  public static let maximumTitleLength = 120
  /// The maximum number of characters of a note.
  public static let maximumNoteLength = 500

  public var id: UUID
  public var title: String
  /// A hint for the check.
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

// MARK: - JSON

// Pages read many checklists, so they are parsed without a decoder.

extension ChecklistSection: ScannedJSON {
  package init(_ scanner: inout JSONScanner) throws {
    var id: UUID?
    var title: String?
    var isExpandedByDefault: Bool?
    var items: [ChecklistItem]?
    try scanner.scanObject { scanner, key in
      switch key {
      case "id" where id == nil: id = try scanner.uuid()
      case "title" where title == nil: title = try scanner.scanString()
      case "isExpandedByDefault" where isExpandedByDefault == nil:
        isExpandedByDefault = try scanner.scanBool()
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
    try scanner.scanObject { scanner, key in
      switch key {
      case "id" where id == nil: id = try scanner.uuid()
      case "title" where title == nil: title = try scanner.scanString()
      case "note" where note == nil:
        note = .some(scanner.scanNull() ? nil : try scanner.scanString())
      case "isCritical" where isCritical == nil: isCritical = try scanner.scanBool()
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let id, let title, let isCritical else { throw JSONScanner.Fault.unusualMembers }
    self.init(id: id, title: title, note: note ?? nil, isCritical: isCritical)
  }
}

// MARK: - Forms

extension ChecklistSection {
  /// Creates a section with an empty item.
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
  /// The checklists, sorted by title.
  package var checklists: ViewState<[Checklist]> { entries() }
}

extension LibraryRepository {
  /// Fetches a checklist, or `nil` if it does not exist.
  public func fetchChecklist(_ id: UUID) async throws -> Checklist? {
    try await entities.fetch(Checklist.self, id)
  }
  /// Fetches all checklists, sorted by title.
  public func fetchUserChecklists() async throws -> [Checklist] { try await entities.fetchAll() }
  /// Stores a checklist, and counts its progress again in every charter without a snapshot of it.
  public func saveChecklist(_ checklist: Checklist) async throws {
    try await entities.save(checklist)
  }
  /// Deletes a checklist. Its progress and snapshots are retained until their charters are deleted.
  @discardableResult
  public func deleteChecklist(_ id: UUID) async throws -> RemovedEntity? {
    try await entities.delete(Checklist.self, id)
  }
}

extension AppRoute {
  /// The route of the form of a new checklist.
  package static var createChecklist: AppRoute { .newEntry(EntityKind(Checklist.self)) }
  /// Returns the route of a checklist's page.
  package static func checklistDetail(_ id: UUID) -> AppRoute {
    .entry(EntityKind(Checklist.self), id)
  }
  /// Returns the route of a checklist's form.
  package static func editChecklist(_ id: UUID) -> AppRoute {
    .editEntry(EntityKind(Checklist.self), id)
  }
}

extension LocalizedText {
  /// Returns a number of items in words.
  package static func items(_ count: Int) -> LocalizedText {
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

/// The completion of a checklist's current items.
///
/// It depends on the checklist and the states only, so that every device computes the same result.
package struct ChecklistCompletion: Equatable, Sendable {
  /// The number of checked current items.
  package let checkedCount: Int
  /// The number of current items.
  package let itemCount: Int
  /// The date of the last check if all items are checked and there is at least one, otherwise
  /// `nil`.
  package let completedAt: Date?

  /// Computes the completion.
  ///
  /// - Parameter checkedAt: the date of the check of each checked item.
  package init(itemIDs: some Collection<UUID>, checkedAt: [UUID: Date]) {
    let dates = itemIDs.compactMap { checkedAt[$0] }
    itemCount = itemIDs.count
    checkedCount = dates.count
    completedAt = dates.count == itemIDs.count ? dates.max() : nil
  }

  /// The checked share, from 0 to 1; 0 if there are no items.
  package var fraction: Double { itemCount > 0 ? Double(checkedCount) / Double(itemCount) : 0 }

  /// The checked share, from 0 to 100, rounded down so that 100 means all.
  package var percent: Int { itemCount > 0 ? checkedCount * 100 / itemCount : 0 }
}
