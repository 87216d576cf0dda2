import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import Testing

@testable import ShiftScheduler

/// The list of shift types.
@MainActor
struct ShiftTypesFeatureTests {
  private func makeStore(
    _ shiftTypes: [ShiftType] = [], _ persistence: PersistenceClient
  ) -> TestStore<ShiftTypesFeature.State, ShiftTypesFeature.Action> {
    TestStore(initialState: ShiftTypesFeature.State(shiftTypes: shiftTypes)) {
      ShiftTypesFeature()
    } withDependencies: {
      $0.persistence = persistence
    }
  }

  @Test(arguments: [ShiftTypesFeature.Action.onAppear, .loadShiftTypes])
  func `The shift types are loaded`(_ action: ShiftTypesFeature.Action) async {
    let store = makeStore([], PersistenceClient(loadShiftTypes: { [.early, .night] }))
    await store.send(action) { $0.isLoading = true }
    await store.receive(.shiftTypesLoaded(.success([.early, .night]))) {
      $0.isLoading = false
      $0.shiftTypes = [.early, .night]
    }
    await store.finish()
  }

  @Test func `A failure to load is an error`() async {
    let store = makeStore(
      [.early], PersistenceClient(loadShiftTypes: { throw AppError.database(.busy) }))
    await store.send(.loadShiftTypes) { $0.isLoading = true }
    await store.receive(.shiftTypesLoaded(.failure(.database(.busy)))) {
      $0.isLoading = false
      $0.error = .database(.busy)
    }
    await store.finish()
  }

  @Test func `A save replaces the type with the same id, or appends it`() async throws {
    let repository = InMemoryRepository(shiftTypes: [.early, .night])
    let store = makeStore([.early, .night], PersistenceClient(repository: repository))
    var changed = ShiftType.early
    changed.title = "Morning"
    await store.send(.saveShiftType(changed)) { $0.shiftTypes = [changed, .night] }
    await store.send(.saveShiftType(.vacation)) { $0.shiftTypes = [changed, .night, .vacation] }
    await store.send(.deleteShiftType(id: ShiftType.night.id)) {
      $0.shiftTypes = [changed, .vacation]
    }
    await store.send(.addShiftType(.night)) { $0.shiftTypes = [changed, .vacation, .night] }
    await store.finish()
    #expect(try await repository.loadShiftTypes() == [changed, .vacation, .night])
  }

  @Test func `A save that fails restores the state before it`() async {
    let store = makeStore(
      [.early], PersistenceClient(saveShiftTypes: { _ in throw AppError.database(.full) }))
    await store.send(.deleteShiftType(id: ShiftType.early.id)) { $0.shiftTypes = [] }
    let failed = FailedSave<ShiftType>(before: [.early], attempted: [], error: .database(.full))
    await store.receive(.saveFailed(failed)) {
      $0.shiftTypes = [.early]
      $0.error = .database(.full)
    }
    await store.finish()
  }

  @Test func `Stored shift types are followed`() async throws {
    let repository = InMemoryRepository(shiftTypes: [.early])
    let store = makeStore([], PersistenceClient(repository: repository))
    let effects = await store.send(.startObservingShiftTypes)
    await store.receive(.shiftTypesUpdated([.early])) { $0.shiftTypes = [.early] }
    try await repository.saveShiftTypes([.night])
    await store.receive(.shiftTypesUpdated([.night])) { $0.shiftTypes = [.night] }
    await effects.cancel()
    await store.finish()
  }
}
