import Foundation
import Offshore
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A text for reference, with a page.
struct Guide: ShownEntity {
  var id: UUID
  var title: String
  var body: String
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date

  static let name = "guide"
  static let icon = Icon("book", text: "¶")

  static let table = Table(
    "guides", Guide.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("body", \.body), Column("creatorID", \.creatorID), Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  static let fields: [DraftField<Guide>] = [
    titleField(\.title), .text("body", \.body, label: .init(verbatim: "Text")),
  ]

  static let texts = EntityTexts(
    one: .init(en: "Guide", ru: "Памятка"), many: .init(en: "Guides", ru: "Памятки"),
    new: .init(en: "New Guide", ru: "Новая памятка"),
    none: .init(en: "No Guides", ru: "Памяток нет"), hint: .init(verbatim: "Write one."),
    counted: {
      .counted(
        $0, en: .init(one: "# guide", other: "# guides"),
        ru: .init(one: "# памятка", few: "# памятки", many: "# памяток"))
    })

  var subtitle: LocalizedText? { LocalizedText(verbatim: body) }

  static func blank(_ new: NewEntity) -> Guide {
    Guide(
      id: new.id, title: "", body: "", creatorID: new.creatorID, createdAt: new.createdAt,
      updatedAt: new.createdAt)
  }

  func content(_ say: Localizer) -> HTML { p { "Text: \(body)" } }
}

/// A date to remember, which has no line below its title.
struct Birthday: ShownEntity {
  var id: UUID
  var title: String
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date

  static let name = "birthday"
  static let icon = Icon("calendar", text: "▦")

  static let table = Table(
    "birthdays", Birthday.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("creatorID", \.creatorID), Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  static let fields: [DraftField<Birthday>] = [titleField(\.title)]

  static let texts = EntityTexts(
    one: .init(verbatim: "Birthday"), many: .init(verbatim: "Birthdays"),
    new: .init(verbatim: "New Birthday"), none: .init(verbatim: "No Birthdays"),
    hint: .init(verbatim: "Add one."))

  static func blank(_ new: NewEntity) -> Birthday {
    Birthday(
      id: new.id, title: "", creatorID: new.creatorID, createdAt: new.createdAt,
      updatedAt: new.createdAt)
  }

  func content(_ say: Localizer) -> HTML { p { say(Self.texts.one) } }
}

/// A group of both kinds.
enum Almanac: EntityGroup {
  static let path = "almanac"
  static let kinds: [any Entity.Type] = [Guide.self, Birthday.self]

  static let schema = StoreSchema(
    migrations: [
      Migration("v1") { writer in
        try writer.create(Guide.table)
        try writer.create(Birthday.table)
      }
    ])
}
