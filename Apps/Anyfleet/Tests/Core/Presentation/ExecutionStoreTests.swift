import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ExecutionStoreTests {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test func `The store has the states of its charter only, and observes them`() async throws {
    let checklist = try await fixture.checklist()
    let (charter, other) = (try await fixture.charter("A"), try await fixture.charter("B"))
    try await fixture.tick(0, of: checklist, in: other)
    let store = ExecutionStore(repository: fixture.repository, charterID: charter.id)
    #expect(store.states.isIdle)
    await store.load()
    #expect(store.states == .loaded(ReadableStates()))
    try await fixture.tick(1, of: checklist, in: charter)
    await waitUntil { store.states.data?.states.map(\.charterID) == [charter.id] }
    #expect(store.unreadable == [] && store.refreshError == nil)
  }

  @Test func `An unreadable state is reported, and the others show`() async throws {
    let charter = try await fixture.charter()
    let (first, second) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    for checklist in [first, second] { try await fixture.tick(0, of: checklist, in: charter) }
    try await fixture.run(
      "UPDATE checklistExecutionStates SET itemStates = '[' WHERE checklistID = \(first.id)")
    let store = ExecutionStore(repository: fixture.repository, charterID: charter.id)
    await store.load()
    #expect(store.states.data?.states.map(\.checklistID) == [second.id])
    #expect(store.states.data?.unreadableChecklistIDs == [first.id])
    #expect(store.unreadable.count == 1)
  }

  @Test func `A failure is reported beside the loaded states, or replaces an empty display`()
    async throws
  {
    let charter = try await fixture.charter()
    let store = ExecutionStore(repository: fixture.repository, charterID: charter.id)
    await store.load()
    await fixture.database.database.close()
    await store.load()
    #expect(store.states == .loaded(ReadableStates()))
    #expect(store.refreshError == .database(.readFailed))
    let late = ExecutionStore(repository: fixture.repository, charterID: charter.id)
    await late.load()
    #expect(late.states.isRetryable)
  }

  @Test func `The store is released while it observes`() async throws {
    let charter = try await fixture.charter()
    weak var released: ExecutionStore?
    do {
      let store = ExecutionStore(repository: fixture.repository, charterID: charter.id)
      await store.load()
      released = store
    }
    #expect(released == nil)
  }
}
