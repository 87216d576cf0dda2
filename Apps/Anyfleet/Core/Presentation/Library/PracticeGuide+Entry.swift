public import Foundation
public import Offshore
public import OffshorePresentation

/// A guide that is made or edited.
public typealias GuideViewModel = Draft<PracticeGuide>

extension PracticeGuide: LibraryEntry {
  public static let table = Table(
    "practiceGuides", PracticeGuide.init(id:title:body:tags:creatorID:createdAt:updatedAt:),
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("body", \.body),
    Column("tags", \.tags, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  public static let fields: [DraftField<Self>] = [
    titleField(\.title),
    .text(
      "body", \.body, label: .init(en: "Text", ru: "Текст"), hint: .markdown, rows: 14,
      limit: maximumBodyLength, isRequired: true,
      missing: .init(en: "Enter a text.", ru: "Введите текст.")),
    .list(
      "tags", \.tags, label: .init(en: "Tags", ru: "Метки"),
      hint: .init(en: "With commas between them. Optional.", ru: "Через запятую. Необязательно."),
      count: maximumTagCount, limit: maximumTagLength),
  ]

  public static let texts = EntryTexts(
    one: .init(en: "Guide", ru: "Руководство"), many: .init(en: "Guides", ru: "Руководства"),
    new: .init(en: "New Guide", ru: "Новое руководство"),
    none: .init(en: "No Guides Yet", ru: "Руководств пока нет"),
    hint: .init(
      en: "Write down how you do it: mooring stern-to, reefing, a fouled anchor.",
      ru: "Запишите, как вы это делаете: швартовка кормой, рифление, застрявший якорь."))

  public var subtitle: LocalizedText? {
    tags.isEmpty ? nil : LocalizedText(verbatim: tags.joined(separator: ", "))
  }

  public static func blank(
    id: UUID, creatorID: UUID, at now: Date, makeID: () -> UUID
  ) -> PracticeGuide {
    PracticeGuide(id: id, title: "", body: "", creatorID: creatorID, createdAt: now)
  }
}

extension LocalizedText {
  fileprivate static let markdown = LocalizedText(
    en: "# Heading, - list, 1. numbered list, **bold**, *italic*, `code`, [link](https://…).",
    ru: "# Заголовок, - список, 1. нумерованный список, **жирный**, *курсив*, `код`, "
      + "[ссылка](https://…).")
}
