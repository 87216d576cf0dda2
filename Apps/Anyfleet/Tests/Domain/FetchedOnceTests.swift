import Foundation
import Offshore
import OffshoreCalendar
import TestSupport
import Testing

@testable import Anyfleet

/// Repositories that cannot be observed hand out what they have, once.
struct FetchedOnceTests {
  private let fixture: Fixture
  private let repository: FailingFirst
  private let today = CalendarDay(containing: .day(6, 6))

  init() throws {
    fixture = try Fixture()
    repository = FailingFirst(fixture.repository)
  }

  private func all<Value>(
    _ values: any AsyncSequence<Value, any Error> & Sendable
  ) async throws -> [Value] {
    var iterator = values.makeAsyncIterator()
    var all: [Value] = []
    while let value = try await iterator.next(isolation: nil) { all.append(value) }
    return all
  }

  @Test func `Charters`() async throws {
    var charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    charter.isActive = true
    #expect(try await all(repository.activeCharter()) == [charter])
    #expect(try await all(repository.charter(id: charter.id)) == [charter])
    let list = ReadableRows(rows: [charter])
    #expect(try await all(repository.charters(.notArchived, on: today)) == [list])
    #expect(
      try await all(repository.charterCounts(on: today)) == [CharterCounts([.notArchived: 1])])
    #expect(try await all(repository.charterChanges()) == [0])
  }

  @Test func `The library`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let assigned = try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    #expect(
      try await all(repository.charterChecklists(charter.id)) == [ReadableRows(rows: [assigned])])
    #expect(
      try await all(repository.checklist(checklist.id, inCharter: charter.id)) == [checklist])
  }
}
