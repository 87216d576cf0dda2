import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Operations of the library that are the same for every kind of entry.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct LibraryTests {
  /// A kind of entries, by its table.
  struct Kind: CustomTestStringConvertible {
    let type: any LibraryEntry.Type
    var testDescription: String { type.tableName }
  }

  nonisolated static let kinds = [
    Kind(type: Checklist.self), Kind(type: PracticeGuide.self), Kind(type: FlashcardDeck.self),
  ]

  private let fixture: Fixture
  private let store: LibraryStore
  private let user = UUID()
  private var repository: LocalRepository { fixture.repository }

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    store = LibraryStore(repository: fixture.repository, now: { fixture.now })
  }

  /// A draft of a new entry whose fields are filled in.
  private func filled<Entry: LibraryEntry>(_ type: Entry.Type, _ title: String) -> Draft<Entry> {
    let draft = store.draft(of: type, nil, isNew: true, by: user)
    draft["title"] = title
    draft["body"] = "Slowly."
    for name in ["sections", "cards"] where !draft[name].isEmpty {
      draft[name] = draft[name].replacing(#""title":"""#, with: #""title":"x""#)
        .replacing(#"\"title\":\"\""#, with: #"\"title\":\"x\""#)
        .replacing(#""front":"""#, with: #""front":"x""#)
        .replacing(#""back":"""#, with: #""back":"x""#)
    }
    return draft
  }

  private func stored<Entry: LibraryEntry>(
    _ type: Entry.Type, _ title: String = "Mooring"
  ) async throws -> Entry {
    try #require(await filled(type, title).save())
  }

  private func draft<Entry: LibraryEntry>(of entry: Entry) async -> Draft<Entry> {
    let draft = store.draft(of: Entry.self, entry.id, isNew: false, by: user)
    await draft.load()
    return draft
  }

  // MARK: - Lists

  @Test(arguments: kinds) func `A list is loaded, observed, and sorted as readers look for titles`(
    kind: Kind
  ) async throws {
    try await expectSorted(kind.type)
  }

  private func expectSorted<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    #expect(store.entries(of: type).isIdle)
    await store.load(type)
    #expect(store.entries(of: type).isEmpty)
    let sorted = ["Anchor", "anchor", "Élan", "zebra", "архив", "Ёлка", "Жук"]
    for title in ["zebra", "Anchor", "Ёлка", "архив", "Élan", "anchor", "Жук"] {
      try await repository.save(try await stored(type, title))
    }
    await until { [store] in store.entries(of: type).data?.map(\.title) == sorted }
    #expect(try await repository.fetchAll(type).map(\.title) == sorted)
    try await fixture.run(
      "UPDATE \(identifier: Entry.tableName) SET createdAt = 'never' WHERE title = 'zebra'")
    await until { [store] in store.entries(of: type).data?.count == 6 }
    #expect(store.notices(of: type).map(\.id) == ["database.unreadable"])
    #expect(fixture.leftOutCount > 0)
  }

  @Test(arguments: kinds) func `A list that cannot be read is an error, and can be loaded again`(
    kind: Kind
  ) async throws {
    try await expectRecovery(kind.type)
  }

  private func expectRecovery<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    try await fixture.run("ALTER TABLE \(identifier: Entry.tableName) RENAME TO away")
    await store.loadIfNeeded(type)
    #expect(store.entries(of: type).isRetryable)
    try await fixture.run("ALTER TABLE away RENAME TO \(identifier: Entry.tableName)")
    await store.loadIfNeeded(type)
    #expect(store.entries(of: type).isEmpty)
  }

  // MARK: - Editing

  @Test(arguments: kinds) func `A new entry is stored once, whole, and as the user's`(
    kind: Kind
  ) async throws {
    try await expectNew(kind.type)
  }

  private func expectNew<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    await store.load(type)
    let draft = filled(type, " Mooring ")
    let entry = try #require(await draft.save())
    #expect(entry.title == "Mooring" && entry.creatorID == user && entry.createdAt == fixture.now)
    #expect(store.entries(of: type).data == [entry])
    #expect(try await repository.fetch(type, entry.id) == entry)
    fixture.now += 60
    #expect(await draft.save() == entry, "A form that is sent twice changes nothing.")
  }

  @Test(arguments: kinds) func `An empty form is refused at each field that must be filled in`(
    kind: Kind
  ) async throws {
    try await expectProblems(kind.type)
  }

  private func expectProblems<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    let draft = store.draft(of: type, nil, isNew: true, by: user)
    #expect(await draft.save() == nil)
    let names = Set(draft.problems.keys.compactMap { $0.split(separator: ".").last })
    #expect(draft.problems["title"]?.in(.english) == "Enter a title.")
    #expect(
      names == (draft["cards"].isEmpty ? ["title", "body"] : ["title", "front", "back"])
        || !draft["sections"].isEmpty && names == ["title"] && draft.problems.count == 3)
    draft["title"] = String(repeating: "x", count: 81)
    #expect(await draft.save() == nil)
    #expect(draft.problems["title"]?.in(.english).contains("80") == true)
    #expect(try await repository.fetchAll(type).isEmpty)
  }

  @Test(arguments: kinds, [0.0, -3600])
  func `A change made elsewhere is a conflict, also by a clock that stands still or is slow`(
    kind: Kind, step: TimeInterval
  ) async throws {
    try await expectConflict(kind.type, step)
  }

  private func expectConflict<Entry: LibraryEntry>(
    _ type: Entry.Type, _ step: TimeInterval
  ) async throws {
    let entry = try await stored(type)
    let draft = await draft(of: entry)
    var other = entry
    other.title = "Theirs"
    other.updatedAt += step
    try await repository.save(other)
    draft["title"] = "Mine"
    #expect(await draft.save() == nil && draft.saveError == .sync(.conflict))
    #expect(try await repository.fetch(type, entry.id)?.title == "Theirs")
    let saved = try #require(await draft.save())
    #expect(saved.title == "Mine" && saved.updatedAt >= other.updatedAt)
    #expect(saved.creatorID == user && saved.createdAt == entry.createdAt)
  }

  @Test(arguments: kinds) func `A deleted entry is stored anew only if it is saved again`(
    kind: Kind
  ) async throws {
    try await expectStoredAnew(kind.type)
  }

  private func expectStoredAnew<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    let entry = try await stored(type)
    let draft = await draft(of: entry)
    draft["title"] = "Mine"
    try await repository.delete(type, entry.id)
    #expect(await draft.save() == nil && draft.saveError == .database(.notFound))
    #expect(await draft.save()?.title == "Mine")
  }

  @Test(arguments: kinds) func `An entry that cannot be read is not overwritten`(
    kind: Kind
  ) async throws {
    try await expectUnreadable(kind.type)
  }

  private func expectUnreadable<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    let draft = await draft(of: try await stored(type))
    draft["title"] = "Mine"
    try await fixture.run("UPDATE \(identifier: Entry.tableName) SET createdAt = 'never'")
    #expect(await draft.save() == nil && draft.saveError?.id == "database.unreadable")
    let titles = try await fixture.texts("SELECT title FROM \(identifier: Entry.tableName)")
    #expect(titles == ["Mooring"])
  }

  // MARK: - Copying and deleting

  @Test(arguments: kinds) func `A copy has new ids all the way down, and is named a copy`(
    kind: Kind
  ) async throws {
    try await expectCopy(kind.type)
  }

  private func expectCopy<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    let title = String(repeating: "ё", count: 80)
    let entry = try await stored(type, title)
    let other = UUID()
    let copy = try await store.duplicate(type, entry.id, by: other, in: .russian)
    #expect(copy.title.count == 80 && copy.title.hasSuffix("ё копия"))
    #expect(copy.id != entry.id && copy.creatorID == other)
    let (original, copied) = (await draft(of: entry), await draft(of: copy))
    for name in Entry.fields.map(\.name).dropFirst() {
      let ids = /[0-9A-F]{8}-[0-9A-F-]{27}/
      #expect(original[name].replacing(ids, with: "") == copied[name].replacing(ids, with: ""))
      let (before, after) = (
        Set(original[name].matches(of: ids).map { $0.0 }),
        copied[name].matches(of: ids).map { $0.0 }
      )
      #expect(before.isDisjoint(with: after) && before.count == after.count)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await store.duplicate(type, UUID(), by: other, in: .english)
    }
  }

  @Test(arguments: kinds) func `A deleted entry is restored as it was, and not over another`(
    kind: Kind
  ) async throws {
    try await expectRestored(kind.type)
  }

  private func expectRestored<Entry: LibraryEntry>(_ type: Entry.Type) async throws {
    let entry = try await stored(type)
    await store.load(type)
    let restore = try #require(try await store.delete(type, entry.id))
    #expect(store.entries(of: type).isEmpty)
    #expect(try await store.delete(type, entry.id) == nil)
    for _ in 0..<2 { try await restore() }
    #expect(store.entries(of: type).data == [entry])
    var newer = entry
    newer.title = "Newer"
    try await repository.save(newer)
    try await restore()
    #expect(try await repository.fetch(type, entry.id) == newer)
    try await fixture.run("UPDATE \(identifier: Entry.tableName) SET createdAt = 'never'")
    #expect(try await store.delete(type, entry.id) != nil, "An unreadable entry can be deleted.")
    #expect(try await fixture.count(Entry.tableName) == 0)
  }

  @Test func `Tags are each stored once, and limited`() async throws {
    let draft = filled(PracticeGuide.self, "Mooring")
    draft["tags"] = "Med, harbour,, med\nMÉD"
    #expect(await draft.save()?.tags == ["Med", "harbour"])
    draft["tags"] = (0..<11).map { "\($0)" }.joined(separator: ",")
    #expect(await draft.save() == nil && draft.problems.keys.contains("tags"))
    draft["tags"] = String(repeating: "x", count: 31)
    #expect(await draft.save() == nil && draft.problems.keys.contains("tags"))
  }

  @Test func `A checklist needs an item, and may have 500`() async throws {
    let checklist = try await fixture.checklist(items: 501)
    let draft = await draft(of: checklist)
    draft["title"] = "Changed"
    draft["sections"] += " "
    #expect(await draft.save() == nil)
    #expect(!draft.problems.isEmpty)
    draft["sections"] = ""
    #expect(await draft.save() == nil)
    #expect(draft.problems["sections"]?.in(.english) == "Add at least one item.")
  }

  @Test func `The library is released when nothing uses it`() async throws {
    weak var released: LibraryStore?
    do {
      let store = LibraryStore(repository: fixture.repository)
      for kind in Self.kinds { await store.load(kind.type) }
      released = store
    }
    #expect(released == nil)
  }
}
