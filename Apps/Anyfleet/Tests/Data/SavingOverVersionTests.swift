import Foundation
import Offshore
import Testing

@testable import Anyfleet

/// Saving what was made from a version of it, for checklists, guides, and decks alike.
struct SavingOverVersionTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  /// A guide that says something, as at the fixture's date.
  private func guide(_ body: String, _ id: UUID = UUID()) -> PracticeGuide {
    PracticeGuide(
      id: id, title: "Mooring", body: body, creatorID: UUID(), createdAt: fixture.now)
  }

  private func body(_ id: UUID) async throws -> String? {
    try await repository.fetchGuide(id)?.body
  }

  @Test func `A change of what is stored keeps whose it is, and is a later version`() async throws {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    fixture.now.addTimeInterval(60)
    let second = try await repository.saveGuide(guide("2", first.id), over: first.updatedAt)
    #expect(try await repository.fetchGuide(first.id) == second)
    #expect(second.body == "2")
    #expect((second.creatorID, second.createdAt) == (first.creatorID, first.createdAt))
    #expect(second.updatedAt == fixture.now)
  }

  @Test func `A change of an earlier version stores nothing, and says what is stored`()
    async throws
  {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    let second = try await repository.saveGuide(guide("2", first.id), over: first.updatedAt)
    await #expect(throws: RepositoryError.conflict(with: second.updatedAt)) {
      try await repository.saveGuide(guide("3", first.id), over: first.updatedAt)
    }
    #expect(try await body(first.id) == "2")
    try await repository.saveGuide(guide("3", first.id), over: second.updatedAt)
    #expect(try await body(first.id) == "3")
  }

  @Test(arguments: [0, -3600])
  func `A clock that stands still or goes back hides no change`(step: TimeInterval) async throws {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    fixture.now.addTimeInterval(step)
    let second = try await repository.saveGuide(guide("2", first.id), over: first.updatedAt)
    #expect(second.updatedAt == first.updatedAt.addingTimeInterval(0.001).roundedToMilliseconds)
    await #expect(throws: RepositoryError.conflict(with: second.updatedAt)) {
      try await repository.saveGuide(guide("3", first.id), over: first.updatedAt)
    }
  }

  @Test func `A version is known by its milliseconds`() async throws {
    var stored = guide("1")
    stored.updatedAt.addTimeInterval(0.0001234)
    try await repository.saveGuide(stored)
    let version = stored.updatedAt.roundedToMilliseconds
    #expect(version != stored.updatedAt)
    let second = try await repository.saveGuide(guide("2", stored.id), over: version)
    #expect(second.updatedAt == version.addingTimeInterval(0.001).roundedToMilliseconds)
  }

  @Test func `A change of what was deleted stores nothing, and can be stored anew`() async throws {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    try await repository.deleteGuide(first.id)
    await #expect(throws: RepositoryError.notFound) {
      try await repository.saveGuide(guide("2", first.id), over: first.updatedAt)
    }
    #expect(try await body(first.id) == nil)
    try await repository.saveGuide(guide("2", first.id), over: nil)
    #expect(try await body(first.id) == "2")
  }

  @Test func `What is new and sent twice is stored once, and other content is not lost to it`()
    async throws
  {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    fixture.now.addTimeInterval(60)
    #expect(try await repository.saveGuide(guide("1", first.id), over: nil) == first)
    await #expect(throws: RepositoryError.conflict(with: first.updatedAt)) {
      try await repository.saveGuide(guide("2", first.id), over: nil)
    }
    #expect(try await repository.fetchUserGuides() == [first])
  }

  @Test func `A change that is sent twice is stored once`() async throws {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    let second = try await repository.saveGuide(guide("2", first.id), over: first.updatedAt)
    fixture.now.addTimeInterval(60)
    #expect(
      try await repository.saveGuide(guide("2", first.id), over: first.updatedAt) == second)
    #expect(try await repository.fetchUserGuides() == [second])
  }

  @Test func `Of changes at once one is stored, and each other says so`() async throws {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    let saved = await withTaskGroup(of: PracticeGuide?.self) { group in
      for number in 0..<8 {
        group.addTask {
          try? await repository.saveGuide(guide("\(number)!", first.id), over: first.updatedAt)
        }
      }
      return await group.compactMap(\.self).reduce(into: [PracticeGuide]()) { $0.append($1) }
    }
    #expect(saved.count == 1)
    #expect(try await repository.fetchUserGuides() == saved)
  }

  @Test func `What is stored and cannot be read is not overwritten`() async throws {
    let first = try await repository.saveGuide(guide("1"), over: nil)
    try await fixture.run("UPDATE practiceGuides SET tags = '['")
    await #expect(throws: RepositoryError.serializationFailed(row: "\(first.id)", column: "tags")) {
      try await repository.saveGuide(guide("2", first.id), over: first.updatedAt)
    }
    #expect(try await fixture.texts("SELECT body FROM practiceGuides") == ["1"])
  }

  // MARK: - Checklists and decks

  @Test func `A checklist that was changed meanwhile stays, and its progress counts as before`()
    async throws
  {
    let (checklist, charter) = (try await fixture.checklist(items: 2), try await fixture.charter())
    try await fixture.tick(0, of: checklist, in: charter)
    var (mine, other) = (checklist, checklist)
    mine.sections[0].items.removeLast()
    other.sections[0].items += Checklist.sample(items: 2).items
    let stored = try await repository.saveChecklist(other, over: checklist.updatedAt)
    await #expect(throws: RepositoryError.conflict(with: stored.updatedAt)) {
      try await repository.saveChecklist(mine, over: checklist.updatedAt)
    }
    #expect(try await repository.fetchChecklist(checklist.id) == stored)
    let progress: SQL = "SELECT CAST(progressPercentage AS TEXT) FROM checklistExecutionStates"
    #expect(try await fixture.texts(progress) == ["25.0"])
    try await repository.saveChecklist(mine, over: stored.updatedAt)
    #expect(try await fixture.texts(progress) == ["100.0"])
  }

  @Test func `A deck that was changed meanwhile stays`() async throws {
    let deck = FlashcardDeck.sample()
    try await repository.saveDeck(deck)
    var (mine, other) = (deck, deck)
    (mine.title, other.title) = ("Mine", "Other")
    let stored = try await repository.saveDeck(other, over: deck.updatedAt)
    await #expect(throws: RepositoryError.conflict(with: stored.updatedAt)) {
      try await repository.saveDeck(mine, over: deck.updatedAt)
    }
    #expect(try await repository.fetchDeck(deck.id) == stored)
    #expect(try await repository.saveDeck(mine, over: stored.updatedAt).title == "Mine")
  }
}
