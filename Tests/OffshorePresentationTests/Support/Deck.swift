import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync

/// Cards that a user learns, as a kind of entries with rows.
struct Deck: Entity {
  struct Card: Identifiable, Equatable, Codable, Sendable {
    var id: UUID
    var front: String
  }

  var id: UUID
  var title: String
  var cards: [Card]
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date

  static let name = "deck"

  static let table = Table(
    "decks", Deck.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("cards", \.cards, as: .json), Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt), Column("updatedAt", \.updatedAt))

  static let fields: [DraftField<Deck>] = [
    titleField(\.title),
    .rows(
      "cards", \.cards, label: .init(verbatim: "Cards"),
      fields: [.line("front", \.front, label: .init(verbatim: "Front"), isRequired: true)],
      title: { LocalizedText(verbatim: "Card \($0)") }, add: .init(verbatim: "Add Card"),
      new: { Card(id: $0(), front: "") }),
  ]

  static let texts = EntityTexts(
    one: .init(verbatim: "Deck"), many: .init(verbatim: "Decks"), new: .init(verbatim: "New Deck"),
    none: .init(verbatim: "No Decks"), hint: .init(verbatim: "Make one."),
    counted: {
      .counted(
        $0, en: .init(one: "# deck", other: "# decks"),
        ru: .init(one: "# колода", few: "# колоды", many: "# колод"))
    })

  static func blank(_ new: NewEntity) -> Deck {
    Deck(
      id: new.id, title: "", cards: [Card(id: new.makeID(), front: "")], creatorID: new.creatorID,
      createdAt: new.createdAt, updatedAt: new.createdAt)
  }

  mutating func renewIDs(_ makeID: () -> UUID) {
    for index in cards.indices { cards[index].id = makeID() }
  }

  /// Counts the decks.
  static func updateDependants(of id: UUID, _ writer: Writer) throws {
    try SQL("UPDATE counts SET decks = (SELECT count(*) FROM decks)").run(writer)
  }
}

/// A text without rows, on which nothing depends.
struct Memo: Entity {
  var id: UUID
  var title: String
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date

  static let name = "memo"

  static let table = Table(
    "memos", Memo.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("creatorID", \.creatorID), Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))

  static let fields: [DraftField<Memo>] = [titleField(\.title)]

  static let texts = EntityTexts(
    one: .init(verbatim: "Memo"), many: .init(verbatim: "Memos"), new: .init(verbatim: "New Memo"),
    none: .init(verbatim: "No Memos"), hint: .init(verbatim: "Write one."))

  static func blank(_ new: NewEntity) -> Memo {
    Memo(
      id: new.id, title: "", creatorID: new.creatorID, createdAt: new.createdAt,
      updatedAt: new.createdAt)
  }
}

/// A bookcase with both kinds, and its file.
enum Bookcase: EntityGroup {
  static let path = "bookcase"
  static let kinds: [any Entity.Type] = [Deck.self, Memo.self]

  static let schema = StoreSchema(
    migrations: [
      Migration("v1") { writer in
        try writer.create(Deck.table)
        try writer.create(Memo.table)
        try SQL("CREATE TABLE counts (decks INTEGER)").run(writer)
        try SQL("INSERT INTO counts VALUES (0)").run(writer)
      }
    ],
    sync: try SyncSchema(
      version: 1, tables: syncTables(ofScope: "person"), personalKinds: ["person"]))
}
