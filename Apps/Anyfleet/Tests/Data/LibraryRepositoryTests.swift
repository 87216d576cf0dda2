import Foundation
import Offshore
import OffshorePresentation
import Testing

@testable import Anyfleet

struct LibraryRepositoryTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func progress() async throws -> [Double?] {
    try await fixture.database.database.read { reader in
      try SQL("SELECT progressPercentage FROM checklistExecutionStates")
        .all(reader, as: Double?.self)
    }
  }

  @Test func `All that a checklist has is stored and loads equal`() async throws {
    var checklist = Checklist.sample(items: 2)
    checklist.description = "On taking over"
    checklist.sections.append(ChecklistSection(id: UUID(), title: "", isExpandedByDefault: false))
    checklist.sections[0].items[1].note = "Zoë’s note"
    try await repository.saveChecklist(checklist)
    #expect(try await repository.fetchChecklist(checklist.id) == checklist)
    #expect(try await repository.fetchUserChecklists() == [checklist])
    #expect(try await repository.fetchChecklist(UUID()) == nil)
  }

  @Test func `Checklists are listed by title, and damaged ones left out and logged`() async throws {
    for title in ["B", "C", "A"] { _ = try await fixture.checklist(title) }
    #expect(try await repository.fetchUserChecklists().map(\.title) == ["A", "B", "C"])
    try await fixture.run("UPDATE checklists SET sections = '[{}]' WHERE title = 'B'")
    #expect(try await repository.fetchUserChecklists().map(\.title) == ["A", "C"])
    #expect(fixture.leftOutCount == 1)
  }

  @Test func `Changing a checklist counts its progress anew in every charter`() async throws {
    var checklist = try await fixture.checklist(items: 2)
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await fixture.tick(0, of: checklist, in: first)
    try await fixture.tick(1, of: checklist, in: first)
    try await fixture.tick(0, of: checklist, in: second)
    #expect(try await fixture.state(checklist, in: first)?.completedAt == fixture.now)
    checklist.sections[0].items += Checklist.sample(items: 2).items
    try await repository.saveChecklist(checklist)
    #expect(try await progress().compactMap(\.self).sorted() == [25, 50])
    #expect(try await fixture.state(checklist, in: first)?.completedAt == nil)
    checklist.sections[0].items.removeLast(2)
    try await repository.saveChecklist(checklist)
    #expect(try await progress().compactMap(\.self).sorted() == [50, 100])
    #expect(try await fixture.state(checklist, in: first)?.completedAt == fixture.now)
  }

  @Test func `Deleting a checklist keeps its progress, without a percentage`() async throws {
    let checklist = try await fixture.checklist(items: 2)
    let charter = try await fixture.charter()
    try await fixture.tick(0, of: checklist, in: charter)
    try await repository.deleteChecklist(checklist.id)
    #expect(try await progress() == [nil])
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
    try await repository.saveChecklist(checklist)
    #expect(try await progress() == [50])
  }

  @Test func `Checklists are followed`() async throws {
    var checklists = repository.checklists().makeAsyncIterator()
    #expect(try await checklists.next(isolation: nil) == ReadableRows())
    let checklist = try await fixture.checklist()
    #expect(try await checklists.next(isolation: nil) == ReadableRows(rows: [checklist]))
  }

  @Test func `Titles are in the order in which readers look for them`() async throws {
    for title in ["zebra", "Anchor", "Ёлка", "архив", "Élan", "anchor", "Жук"] {
      try await repository.saveChecklist(.sample(title))
      try await repository.saveGuide(.sample(title))
      try await repository.saveDeck(.sample(title))
    }
    let sorted = ["Anchor", "anchor", "Élan", "zebra", "архив", "Ёлка", "Жук"]
    #expect(try await repository.fetchUserChecklists().map(\.title) == sorted)
    #expect(try await repository.fetchUserGuides().map(\.title) == sorted)
    #expect(try await repository.fetchUserDecks().map(\.title) == sorted)
  }
}
