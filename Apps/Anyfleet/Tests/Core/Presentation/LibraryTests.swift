import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// The forms of all kinds of the library, and copies of entries.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct LibraryTests {
  private let fixture: Fixture
  private let store: LibraryStore
  private let user = UUID()
  private var repository: LocalRepository { fixture.repository }

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    store = LibraryStore(repository: fixture.repository, now: { fixture.now })
  }

  /// Creates a draft of a new entry with its fields filled in.
  private func filled<Entry: Entity>(_ type: Entry.Type, _ title: String) -> Draft<Entry> {
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

  private func storedEntries<Entry: Entity>(
    _ type: Entry.Type, _ title: String = "Mooring"
  ) async throws -> Entry {
    try #require(await filled(type, title).save())
  }

  private func draft<Entry: Entity>(of entry: Entry) async -> Draft<Entry> {
    let draft = store.draft(of: Entry.self, entry.id, isNew: false, by: user)
    await draft.load()
    return draft
  }

  @Test(arguments: EntityKind<Library>.allCases)
  func `An empty form is refused at each field that must be filled in`(
    kind: EntityKind<Library>
  ) async throws {
    try await expectProblems(kind.type)
  }

  private func expectProblems<Entry: Entity>(_ type: Entry.Type) async throws {
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
    #expect(try await repository.entities.fetchAll(type).isEmpty)
  }

  @Test(arguments: EntityKind<Library>.allCases)
  func `A copy has new ids at every level, and its title says that it is a copy`(
    kind: EntityKind<Library>
  ) async throws {
    try await expectCopy(kind.type)
  }

  private func expectCopy<Entry: Entity>(_ type: Entry.Type) async throws {
    let title = String(repeating: "ё", count: 80)
    let entry = try await storedEntries(type, title)
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

  @Test func `Each tag is stored once, and tags are limited`() async throws {
    let draft = filled(PracticeGuide.self, "Mooring")
    draft["tags"] = "Med, harbour,, med\nMÉD"
    #expect(await draft.save()?.tags == ["Med", "harbour"])
    draft["tags"] = (0..<11).map { "\($0)" }.joined(separator: ",")
    #expect(await draft.save() == nil && draft.problems.keys.contains("tags"))
    draft["tags"] = String(repeating: "x", count: 31)
    #expect(await draft.save() == nil && draft.problems.keys.contains("tags"))
  }

  @Test func `A checklist needs an item, and has at most 500`() async throws {
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
}
