import AnyfleetTestSupport
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

  @Test func `Changing a checklist counts its progress again in every charter`() async throws {
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

  @Test func `Deleting a checklist preserves its progress, without a percentage`() async throws {
    let checklist = try await fixture.checklist(items: 2)
    let charter = try await fixture.charter()
    try await fixture.tick(0, of: checklist, in: charter)
    try await repository.deleteChecklist(checklist.id)
    #expect(try await progress() == [nil])
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
    try await repository.saveChecklist(checklist)
    #expect(try await progress() == [50])
  }
}
