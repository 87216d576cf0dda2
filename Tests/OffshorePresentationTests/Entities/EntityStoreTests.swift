import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import OffshoreWire
import Synchronization
import TestSupport
import Testing

@testable import OffshorePresentation

/// Operations that are the same for all kinds of entries.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct EntityStoreTests {
  /// The error that the store's file substitutes for any other.
  private struct Failure: Error {
    let cause: any Error
    var code: DatabaseError.Code? { (cause as? DatabaseError)?.code }
  }

  /// A time that a test sets.
  private final class Time: Sendable {
    private let date = Mutex(Date(timeIntervalSinceReferenceDate: 800_000_000))
    var now: Date {
      get { date.withLock { $0 } }
      set { date.withLock { $0 = newValue } }
    }
  }

  private let file: SyncedStore
  private let repository: EntityRepository
  private let store: EntityStore
  private let clock = Time()
  private let user = UUID()

  init() throws {
    file = try SyncedStore.temporary(schema: Bookcase.schema)
    let (logger, clock) = (AppLogger(.repository, to: .none), clock)
    repository = EntityRepository(
      LoggedStore(file, logger: logger) { Failure(cause: $0) }, now: { clock.now })
    store = EntityStore(repository, now: { clock.now })
  }

  private func run(_ sql: SQL) async throws { try await file.write { try sql.run($0) } }

  private func count() async throws -> Int? {
    try await file.read { try SQL("SELECT decks FROM counts").first($0, as: Int.self) }
  }

  /// Creates a draft of a new deck with its fields filled in.
  private func filled(_ title: String) -> Draft<Deck> {
    let draft = store.draft(of: Deck.self, nil, isNew: true, by: user)
    draft["title"] = title
    draft["cards"] = draft["cards"].replacing(#""front":"""#, with: #""front":"Red""#)
    return draft
  }

  private func stored(_ title: String = "Lights") async throws -> Deck {
    try #require(await filled(title).save())
  }

  private func draft(of deck: Deck) async -> Draft<Deck> {
    let draft = store.draft(of: Deck.self, deck.id, isNew: false, by: user)
    await draft.load()
    return draft
  }

  // MARK: - Lists

  @Test func `A list is loaded, observed, and sorted by title as readers expect`() async throws {
    #expect(store.entries(of: Deck.self).isIdle)
    await store.load(Deck.self)
    #expect(store.entries(of: Deck.self).isEmpty)
    let sorted = ["Anchor", "anchor", "Élan", "zebra", "архив", "Ёлка", "Жук"]
    for title in ["zebra", "Anchor", "Ёлка", "архив", "Élan", "anchor", "Жук"] {
      try await repository.save(try await stored(title))
    }
    await waitUntil { [store] in store.entries(of: Deck.self).data?.map(\.title) == sorted }
    #expect(try await repository.fetchAll(Deck.self).map(\.title) == sorted)
    try await run("UPDATE decks SET createdAt = 'never' WHERE title = 'zebra'")
    await waitUntil { [store] in store.entries(of: Deck.self).data?.count == 6 }
    #expect(store.notices(of: Deck.self).map(\.id) == ["database.unreadable"])
    #expect(store.entries(of: Memo.self).isIdle)
  }

  @Test func `A list that cannot be read is an error, and can be loaded again`() async throws {
    try await run("ALTER TABLE decks RENAME TO away")
    await store.loadIfNeeded(Deck.self)
    #expect(store.entries(of: Deck.self).errorValue != nil)
    try await run("ALTER TABLE away RENAME TO decks")
    await store.loadIfNeeded(Deck.self)
    #expect(store.entries(of: Deck.self).isEmpty)
  }

  // MARK: - Editing

  @Test func `A new entry is stored once, completely, and with the user as its owner`() async throws
  {
    await store.load(Deck.self)
    let draft = filled(" Lights ")
    let deck = try #require(await draft.save())
    #expect(deck.title == "Lights" && deck.creatorID == user && deck.createdAt == clock.now)
    #expect(store.entries(of: Deck.self).data == [deck])
    #expect(try await repository.fetch(Deck.self, deck.id) == deck)
    #expect(try await count() == 1)
    clock.now += 60
    #expect(await draft.save() == deck, "A form that is sent twice changes nothing.")
  }

  @Test func `A title is required, and limited`() async throws {
    let draft = filled(" ")
    #expect(await draft.save() == nil)
    #expect(draft.problems["title"]?.in(.english) == "Enter a title.")
    draft["title"] = String(repeating: "x", count: 81)
    #expect(await draft.save() == nil)
    #expect(draft.problems["title"]?.in(.english).contains("80") == true)
    #expect(try await repository.fetchAll(Deck.self).isEmpty)
  }

  @Test(arguments: [0.0, -3600])
  func `A change made elsewhere is a conflict, even if a clock is stopped or slow`(
    step: TimeInterval
  ) async throws {
    let deck = try await stored()
    let draft = await draft(of: deck)
    var other = deck
    other.title = "Theirs"
    other.updatedAt += step
    try await repository.save(other)
    draft["title"] = "Mine"
    #expect(await draft.save() == nil && draft.saveError == .sync(.conflict))
    #expect(try await repository.fetch(Deck.self, deck.id)?.title == "Theirs")
    let saved = try #require(await draft.save())
    #expect(saved.title == "Mine" && saved.updatedAt == clock.now)
    #expect(saved.creatorID == user && saved.createdAt == deck.createdAt)
  }

  @Test func `A deleted entry is stored again only if it is saved again`() async throws {
    let deck = try await stored()
    let draft = await draft(of: deck)
    draft["title"] = "Mine"
    try await repository.delete(Deck.self, deck.id)
    #expect(await draft.save() == nil && draft.saveError == .database(.notFound))
    #expect(await draft.save()?.title == "Mine")
  }

  @Test func `An entry that cannot be read is not overwritten`() async throws {
    let draft = await draft(of: try await stored())
    draft["title"] = "Mine"
    try await run("UPDATE decks SET createdAt = 'never'")
    #expect(await draft.save() == nil && draft.saveError != nil)
    let titles = try await file.read { try SQL("SELECT title FROM decks").all($0, as: String.self) }
    #expect(titles == ["Lights"])
  }

  // MARK: - Copying and deleting

  @Test func `A copy has new ids at every level, and its title says that it is a copy`()
    async throws
  {
    let deck = try await stored(String(repeating: "ё", count: 80))
    let other = UUID()
    let copy = try await store.duplicate(Deck.self, deck.id, by: other, in: .russian)
    #expect(copy.title.count == 80 && copy.title.hasSuffix("ё копия"))
    #expect(copy.id != deck.id && copy.creatorID == other)
    #expect(copy.cards.map(\.front) == ["Red"] && copy.cards[0].id != deck.cards[0].id)
    #expect(try await repository.fetch(Deck.self, copy.id) == copy)
    let failure = await #expect(throws: Failure.self) {
      try await store.duplicate(Deck.self, UUID(), by: other, in: .english)
    }
    #expect(failure?.code == .notFound)
  }

  @Test func `A deleted entry is restored unchanged, and does not overwrite another`() async throws
  {
    let deck = try await stored()
    await store.load(Deck.self)
    let restore = try #require(try await store.delete(Deck.self, deck.id))
    #expect(store.entries(of: Deck.self).isEmpty)
    #expect(try await store.delete(Deck.self, deck.id) == nil)
    #expect(try await count() == 0)
    for _ in 0..<2 { try await restore() }
    #expect(store.entries(of: Deck.self).data == [deck])
    #expect(try await count() == 1)
    var newer = deck
    newer.title = "Newer"
    try await repository.save(newer)
    try await restore()
    #expect(try await repository.fetch(Deck.self, deck.id) == newer)
    try await run("UPDATE decks SET createdAt = 'never'")
    #expect(try await store.delete(Deck.self, deck.id) != nil, "It can be deleted unread.")
    #expect(try await count() == 0)
  }

  // MARK: - Accounts

  @Test func `An entry from before the first sign-in gets the account as its owner`() async throws {
    let (deck, account) = (try await stored(), LinkedAccount(id: UUID(), name: "skipper"))
    let former = try await file.read { try SyncedStore.userID($0) }
    try await run("UPDATE decks SET creatorID = \(former)")
    let restore = try #require(try await store.delete(Deck.self, deck.id))
    let draft = filled("Buoys")
    try await file.link(account, token: nil)
    try await restore()
    #expect(await draft.save()?.creatorID == account.id)
    let memo = Memo(
      id: UUID(), title: "Reef early", creatorID: former, createdAt: clock.now, updatedAt: clock.now
    )
    try await store.save(memo)
    let copy = try await store.duplicate(Deck.self, deck.id, by: former, in: .english)
    #expect(copy.creatorID == account.id)
    let decks = try await repository.fetchAll(Deck.self)
    #expect(decks.map(\.title) == ["Buoys", "Lights", "Lights copy"])
    #expect(decks.allSatisfy { $0.creatorID == account.id })
    #expect(try await repository.fetch(Memo.self, memo.id)?.creatorID == account.id)
  }

  @Test(arguments: ["", "no owner", "ü/1"])
  func `An entry with a damaged owner can be deleted and restored on a device with an account`(
    owner: String
  ) async throws {
    let (deck, account) = (try await stored(), LinkedAccount(id: UUID(), name: "skipper"))
    try await file.link(account, token: nil)
    try await run("UPDATE decks SET creatorID = \(owner)")
    let restore = try #require(try await store.delete(Deck.self, deck.id))
    #expect(try await count() == 0)
    try await restore()
    #expect(try await count() == 1)
    #expect(try await repository.fetch(Deck.self, deck.id)?.creatorID == account.id)
  }

  @Test func `The store is released when nothing uses it`() async throws {
    weak var released: EntityStore?
    do {
      let store = EntityStore(repository)
      await store.load(Deck.self)
      await store.load(Memo.self)
      released = store
    }
    #expect(released == nil)
  }

  // MARK: - Kinds

  @Test func `Entries that are left out are counted by the word of their kind, or after its name`()
  {
    #expect(
      [1, 2].map { Deck.texts.unreadableEntries($0).in(.english) } == [
        "1 deck cannot be read and is left out.", "2 decks cannot be read and are left out.",
      ])
    #expect(
      [1, 2, 5, 21].map { Deck.texts.unreadableEntries($0).in(.russian) } == [
        "1 колода не читается и не показывается.", "2 колоды не читаются и не показываются.",
        "5 колод не читаются и не показываются.", "21 колода не читается и не показывается.",
      ])
    #expect(
      Memo.texts.unreadableEntries(2).in(.english)
        == "Memos: 2 entries cannot be read and are left out.")
    #expect(
      Memo.texts.unreadableEntries(2).in(.russian) == "Memos: 2 записи не читаются и не показаны.")
  }

  @Test func `A kind is found by its plural name or its table`() {
    let deck = EntityKind<Bookcase>(Deck.self)
    #expect(EntityKind<Bookcase>.allCases == [deck, EntityKind(Memo.self)])
    #expect(EntityKind<Bookcase>(plural: "decks") == deck)
    #expect(EntityKind<Bookcase>(table: "decks") == deck && EntityKind<Bookcase>(table: nil) == nil)
    #expect(EntityKind<Bookcase>(plural: "deck") == nil && deck.plural == "decks")
    #expect(Bookcase.names.mapValues { $0.in(.english) } == ["decks": "Deck", "memos": "Memo"])
  }

  @Test func `A table without a column that entries need is not synced`() throws {
    enum Bad: EntityGroup {
      static let path = "bad"
      static let kinds: [any Entity.Type] = [Nameless.self]
    }
    #expect(throws: ReplicaError.self) {
      try SyncSchema(
        version: 1, tables: Bad.syncTables(ofScope: "person"), personalKinds: ["person"])
    }
  }
}

/// A kind whose table has no title.
private struct Nameless: Entity {
  var id: UUID
  var title: String {
    get { "" }
    set {}
  }
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date

  static let name = "nameless"
  static let table = Table(
    "nameless", Nameless.init, Column("id", \.id).primaryKey(),
    Column("creatorID", \.creatorID), Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt))
  static let fields: [DraftField<Nameless>] = []
  static let texts = Memo.texts
  static func blank(_ new: NewEntity) -> Nameless {
    Nameless(
      id: new.id, creatorID: new.creatorID, createdAt: new.createdAt, updatedAt: new.createdAt)
  }
}
