public import Foundation
public import Offshore
public import OffshorePresentation

/// A checklist that is made or edited.
public typealias ChecklistEditorViewModel = Draft<Checklist>

extension Checklist: LibraryEntry {
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
    Column("creatorID", \.creatorID).indexed("idx_checklists_creator"),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  public static let fields: [DraftField<Self>] = [
    titleField(\.title),
    .text(
      "description", \.description, label: .description, hint: .optional, rows: 3,
      limit: maximumDescriptionLength),
    .rows(
      "sections", \.sections, label: .init(en: "Sections", ru: "Разделы"),
      fields: ChecklistSection.fields, limit: maximumSectionCount,
      title: { LocalizedText(en: "Section \($0)", ru: "Раздел \($0)") },
      add: .init(en: "Add Section", ru: "Добавить раздел"), check: problem,
      new: { .blank($0) }),
  ]

  @Sendable private static func problem(of sections: [ChecklistSection]) -> LocalizedText? {
    switch sections.reduce(0, { $0 + $1.items.count }) {
    case 0: .addItem
    case ...maximumItemCount: nil
    default: .tooManyItems(maximumItemCount)
    }
  }

  public static let texts = EntryTexts(
    one: .init(en: "Checklist", ru: "Чек-лист"), many: .init(en: "Checklists", ru: "Чек-листы"),
    new: .init(en: "New Checklist", ru: "Новый чек-лист"),
    none: .init(en: "No Checklists", ru: "Чек-листов нет"),
    hint: .init(
      en: "Write one of your own, and run it in each of your charters.",
      ru: "Составьте свой и проходите его в каждом чартере."))

  public var subtitle: LocalizedText? { .items(items.count) }

  public static func blank(
    id: UUID, creatorID: UUID, at now: Date, makeID: () -> UUID
  ) -> Checklist {
    Checklist(
      id: id, title: "", sections: [.blank(makeID)], creatorID: creatorID, createdAt: now)
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
        en: "Shows its items when the checklist is opened", ru: "Пункты видны сразу при открытии")),
    .rows(
      "items", \.items, label: .init(en: "Items", ru: "Пункты"), fields: ChecklistItem.fields,
      limit: Checklist.maximumItemCount,
      title: { LocalizedText(en: "Item \($0)", ru: "Пункт \($0)") },
      add: .init(en: "Add Item", ru: "Добавить пункт"),
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
      limit: maximumNoteLength),
    .check(
      "isCritical", \.isCritical,
      label: .init(
        en: "Critical: safety depends on it", ru: "Важно: от этого зависит безопасность")),
  ]
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
}
