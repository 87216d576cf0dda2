import Foundation
import OffshoreFiles
import OffshorePresentation
import OffshorePresentationTesting
import Testing

@testable import ShiftScheduler

/// The log of changes, and its steps.
@MainActor
struct ChangeLogFeatureTests {
  private typealias Feature = ChangeLogFeature

  private func makeStore(
    _ repository: any PersistenceRepository
  ) -> TestStore<Feature.State, Feature.Action> {
    TestStore(initialState: Feature.State()) {
      ChangeLogFeature()
    } withDependencies: {
      $0.persistence = PersistenceClient(repository: repository)
    }
  }

  @Test func `The changes are loaded and followed`() async throws {
    let repository = InMemoryRepository(.numbered())
    try await repository.saveShift(.june(1))
    let changes = try await repository.loadChanges()
    let store = makeStore(repository)
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.changesLoaded(.success(changes))) {
      $0.isLoading = false
      $0.changes = changes
    }
    let effects = await store.send(.startObservingChanges)
    await store.receive(.changesUpdated(changes))
    try await repository.saveShift(.june(2))
    let later = try await repository.loadChanges()
    await store.receive(.changesUpdated(later)) { $0.changes = later }
    await effects.cancel()
    await store.finish()
  }

  @Test func `A change is undone and redone`() async throws {
    let repository = InMemoryRepository(.numbered())
    try await repository.saveShifts([.june(1), .june(2)])
    try await repository.deleteShift(id: ScheduledShift.june(1).id)
    let store = makeStore(repository)
    await store.send(.undo)
    #expect(try await repository.loadShifts() == [.june(1), .june(2)])
    let undone = try await repository.loadChanges()
    await store.receive(.changesUpdated(undone)) { $0.changes = undone }
    #expect(store.state.history.redoable.count == 1)
    await store.send(.redo)
    #expect(try await repository.loadShifts() == [.june(2)])
    let redone = try await repository.loadChanges()
    await store.receive(.changesUpdated(redone)) { $0.changes = redone }
    #expect(store.state.history.redoable == [])
    await store.finish()
  }

  @Test func `Several steps run one after the other`() async throws {
    let repository = InMemoryRepository(.numbered())
    for number in 1...9 { try await repository.saveShift(.june(number)) }
    let store = Store(initialState: Feature.State()) {
      ChangeLogFeature()
    } withDependencies: {
      $0.persistence = PersistenceClient(repository: repository)
    }
    let effects = (1...12).map { _ in store.send(.undo) }
    for effect in effects { await effect.finish() }
    #expect(try await repository.loadShifts() == [])
    #expect(store.state.history.redoable.count == 9)
  }

  @Test func `A change whose record has changed meanwhile is shown and not undone`() async throws {
    let repository = InMemoryRepository(.numbered())
    try await repository.saveShift(.june(1))
    let first = try #require(try await repository.loadChanges().first)
    try await repository.saveShift(.june(1, status: .done))
    let store = makeStore(repository)
    let changes = try await repository.loadChanges()
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.changesLoaded(.success(changes))) {
      $0.isLoading = false
      $0.changes = changes
    }
    let refusal = EditRefusal(
      differences: [.shift(before: .june(1), after: .june(1, status: .done))])
    await store.send(.revert(first.id))
    await store.receive(.refused(refusal)) { $0.refusal = refusal }
    #expect(try await repository.loadShifts() == [.june(1, status: .done)])
    await store.send(.dismiss) { $0.refusal = nil }
    await store.finish()
  }

  @Test func `An older change is reverted as a further change`() async throws {
    let repository = InMemoryRepository(.numbered())
    try await repository.saveShift(.june(1))
    let first = try #require(try await repository.loadChanges().first)
    try await repository.saveShift(.june(2))
    let store = makeStore(repository)
    await store.send(.revert(first.id))
    let changes = try await repository.loadChanges()
    await store.receive(.changesUpdated(changes)) { $0.changes = changes }
    #expect(try await repository.loadShifts() == [.june(2)])
    #expect(store.state.history.undoable.count == 3)
    await store.finish()
  }

  @Test func `A failure is an error, and an empty log has no steps`() async {
    let repository = MockPersistenceRepository(shouldThrowError: true)
    let store = makeStore(repository)
    let error = AppError.unknown(underlying: MockPersistenceRepository.MockError.loadFailed)
    await store.send(.undo)
    await store.receive(.failed(error)) { $0.error = error }
    await store.send(.dismiss) { $0.error = nil }
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.changesLoaded(.failure(error))) {
      $0.isLoading = false
      $0.error = error
    }
    await repository.setShouldThrowError(false)
    for action in [Feature.Action.undo, .redo] {
      await store.send(action)
      await store.receive(.changesUpdated([]))
    }
    await store.finish()
  }
}
