import Foundation
import Offshore
import TestSupport
import Testing

@testable import Anyfleet

struct GuideRepositoryTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func guide(_ title: String = "Mooring") -> PracticeGuide {
    PracticeGuide(
      id: UUID(), title: title, body: "# Stern-to\n\n- Fenders", tags: ["harbour", "Zoë"],
      creatorID: UUID(), createdAt: .day(1, 1), updatedAt: .day(2, 1))
  }

  @Test func `All that a guide has is stored, changed, and removed`() async throws {
    var guide = guide()
    try await repository.saveGuide(guide)
    #expect(try await repository.fetchGuide(guide.id) == guide)
    guide.tags = []
    guide.body = ""
    try await repository.saveGuide(guide)
    #expect(try await repository.fetchUserGuides() == [guide])
    try await repository.deleteGuide(guide.id)
    #expect(try await repository.fetchGuide(guide.id) == nil)
    try await repository.deleteGuide(guide.id)
  }

  @Test func `Guides are listed by title, and damaged ones left out and reported`() async throws {
    for title in ["B", "C", "A"] { try await repository.saveGuide(guide(title)) }
    #expect(try await repository.fetchUserGuides().map(\.title) == ["A", "B", "C"])
    try await fixture.run("UPDATE practiceGuides SET tags = '{}' WHERE title = 'B'")
    #expect(try await repository.fetchUserGuides().map(\.title) == ["A", "C"])
    #expect(fixture.leftOutCount == 1)
    var guides = repository.guides().makeAsyncIterator()
    let list = try #require(try await guides.next(isolation: nil))
    #expect(list.rows.map(\.title) == ["A", "C"])
    #expect(list.unreadable.map(\.column) == ["tags"])
  }

  @Test func `Guides are followed`() async throws {
    var guides = repository.guides().makeAsyncIterator()
    #expect(try await guides.next(isolation: nil) == ReadableRows())
    let guide = guide()
    try await repository.saveGuide(guide)
    #expect(try await guides.next(isolation: nil) == ReadableRows(rows: [guide]))
    try await repository.deleteGuide(guide.id)
    #expect(try await guides.next(isolation: nil) == ReadableRows())
  }
}
