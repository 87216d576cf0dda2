package import Foundation
package import Offshore
package import OffshorePresentation

/// A reference text, for example about mooring stern-to or freeing a fouled anchor.
package struct PracticeGuide: Entity, Hashable {
  /// The maximum number of characters of a text.
  package static let maximumBodyLength = 20_000
  /// The maximum number of tags.
  package static let maximumTagCount = 10
  /// The maximum number of characters of a tag.
  package static let maximumTagLength = 30

  package var id: UUID
  package var title: String
  /// The text in a subset of Markdown.
  package var body: String
  package var tags: [String]
  package var creatorID: UUID
  package var createdAt: Date
  package var updatedAt: Date

  /// Creates a guide.
  package init(
    id: UUID, title: String, body: String, tags: [String] = [], creatorID: UUID,
    createdAt: Date = Date(), updatedAt: Date? = nil
  ) {
    (self.id, self.title, self.body, self.tags) = (id, title, body, tags)
    (self.creatorID, self.createdAt) = (creatorID, createdAt)
    self.updatedAt = updatedAt ?? createdAt
  }

  package static let name = "guide"

  package static let table = Table(
    "practiceGuides", PracticeGuide.init,
    Column("id", \.id).primaryKey(),
    Column("title", \.title),
    Column("body", \.body),
    Column("tags", \.tags, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  package static let fields: [DraftField<Self>] = [
    titleField(\.title),
    .text(
      "body", \.body, label: .init(en: "Text", ru: "Текст"),
      hint: .init(
        en: "# Heading, - list, 1. numbered list, **bold**, *italic*, `code`, [link](https://…).",
        ru: "# Заголовок, - список, 1. нумерованный список, **жирный**, *курсив*, `код`, "
          + "[ссылка](https://…)."), rows: 14, limit: maximumBodyLength, isRequired: true,
      missing: .init(en: "Enter a text.", ru: "Введите текст.")),
    .list(
      "tags", \.tags, label: .init(en: "Tags", ru: "Метки"),
      hint: .init(en: "With commas between them. Optional.", ru: "Через запятую. Необязательно."),
      count: maximumTagCount, limit: maximumTagLength),
  ]

  package static let texts = EntityTexts(
    one: .init(en: "Guide", ru: "Руководство"), many: .init(en: "Guides", ru: "Руководства"),
    new: .init(en: "New guide", ru: "Новое руководство"),
    none: .init(en: "No guides yet", ru: "Руководств пока нет"),
    hint: .init(
      en: "Write down how you do it: mooring stern-to, reefing, a fouled anchor.",
      ru: "Запишите, как вы это делаете: швартовка кормой, рифление, застрявший якорь."),
    counted: {
      .counted(
        $0, en: .init(one: "# guide", other: "# guides"),
        ru: .init(one: "# руководство", few: "# руководства", many: "# руководств"))
    })

  package var subtitle: LocalizedText? {
    tags.isEmpty ? nil : LocalizedText(verbatim: tags.joined(separator: ", "))
  }

  package static func blank(_ new: NewEntity) -> PracticeGuide {
    PracticeGuide(
      id: new.id, title: "", body: "", creatorID: new.creatorID, createdAt: new.createdAt)
  }
}

/// The form of a new or stored guide.
package typealias GuideViewModel = Draft<PracticeGuide>

extension LibraryStore {
  /// The guides, sorted by title.
  package var guides: ViewState<[PracticeGuide]> { entries() }
}

extension LibraryRepository {
  /// Fetches a guide, or `nil` if it does not exist.
  package func fetchGuide(_ id: UUID) async throws -> PracticeGuide? {
    try await entities.fetch(PracticeGuide.self, id)
  }
  /// Fetches all guides, sorted by title.
  package func fetchUserGuides() async throws -> [PracticeGuide] { try await entities.fetchAll() }
  /// Stores a guide.
  package func saveGuide(_ guide: PracticeGuide) async throws { try await entities.save(guide) }
  /// Deletes a guide.
  package func deleteGuide(_ id: UUID) async throws {
    try await entities.delete(PracticeGuide.self, id)
  }
}

extension AppRoute {
  /// Returns the route of a guide's page.
  package static func guideDetail(_ id: UUID) -> AppRoute {
    .entry(EntityKind(PracticeGuide.self), id)
  }
}
