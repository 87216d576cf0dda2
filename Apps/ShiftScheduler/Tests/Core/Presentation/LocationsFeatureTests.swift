import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import Synchronization
import TestSupport
import Testing

@testable import ShiftScheduler

/// The list of locations.
@MainActor
struct LocationsFeatureTests {
  private typealias Feature = LocationsFeature

  nonisolated private static let failure = MockPersistenceRepository.MockError.saveFailed

  private func makeStore(
    _ locations: [Location] = [], _ persistence: PersistenceClient
  ) -> TestStore<Feature.State, Feature.Action> {
    TestStore(initialState: Feature.State(locations: locations)) {
      LocationsFeature()
    } withDependencies: {
      $0.persistence = persistence
    }
  }

  @Test func `The locations are loaded once`() async {
    let store = makeStore([], PersistenceClient(loadLocations: { [.harbor] }))
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.locationsLoaded(.success([.harbor]))) {
      $0.isLoading = false
      $0.locations = [.harbor]
    }
    await store.finish()
  }

  @Test func `A second appearance during a load loads nothing`() async {
    let gate = Gate()
    gate.close()
    let client = PersistenceClient(loadLocations: {
      await gate.pass()
      return [.harbor]
    })
    let store = makeStore([], client)
    await store.send(.onAppear) { $0.isLoading = true }
    await store.send(.onAppear)
    gate.open()
    await store.receive(.locationsLoaded(.success([.harbor]))) {
      $0.isLoading = false
      $0.locations = [.harbor]
    }
    await store.finish()
  }

  @Test func `A failure to load is an error, which the next load removes`() async {
    let fails = Mutex(true)
    let client = PersistenceClient(loadLocations: {
      if fails.withLock({ $0 }) { throw AppError.database(.busy) }
      return [.city]
    })
    let store = makeStore([], client)
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.locationsLoaded(.failure(.database(.busy)))) {
      $0.isLoading = false
      $0.error = .database(.busy)
    }
    fails.withLock { $0 = false }
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.locationsLoaded(.success([.city]))) {
      $0.isLoading = false
      $0.locations = [.city]
      $0.error = nil
    }
    await store.finish()
  }

  @Test func `A change is shown at once and saved, without an action`() async throws {
    let repository = InMemoryRepository(locations: [.harbor])
    let store = makeStore([.harbor], PersistenceClient(repository: repository))
    await store.send(.addLocation(.city)) { $0.locations = [.harbor, .city] }
    var pier = Location.harbor
    pier.name = "Pier"
    await store.send(.updateLocation(pier)) { $0.locations = [pier, .city] }
    await store.send(.deleteLocation(Location.city.id)) { $0.locations = [pier] }
    await store.finish()
    #expect(try await repository.loadLocations() == [pier])
  }

  @Test func `An update of a location that does not exist does nothing`() async {
    let store = makeStore([.harbor], PersistenceClient())
    await store.send(.updateLocation(.city))
    await store.finish()
  }

  @Test func `A save that fails restores the state before it`() async {
    let store = makeStore(
      [.harbor], PersistenceClient(saveLocations: { _ in throw Self.failure }))
    let failed = FailedSave<Location>(
      before: [.harbor], attempted: [.harbor, .city], error: .unknown(underlying: Self.failure))
    await store.send(.addLocation(.city)) { $0.locations = [.harbor, .city] }
    await store.receive(.saveFailed(failed)) {
      $0.locations = [.harbor]
      $0.error = failed.error
    }
    await store.finish()
  }

  @Test func `A save that fails after a further change loads the stored locations`() async {
    let gate = Gate()
    gate.close()
    let isFirst = Mutex(true)
    let client = PersistenceClient(
      loadLocations: { [.city] },
      saveLocations: { _ in
        await gate.pass()
        let fails = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        if fails { throw AppError.database(.full) }
      })
    let store = makeStore([.harbor, .city], client)
    await store.send(.deleteLocation(Location.city.id)) { $0.locations = [.harbor] }
    await store.send(.deleteLocation(Location.harbor.id)) { $0.locations = [] }
    gate.open()
    let failed = FailedSave<Location>(
      before: [.harbor, .city], attempted: [.harbor], error: .database(.full))
    await store.receive(.saveFailed(failed)) { $0.error = .database(.full) }
    await store.receive(.locationsLoaded(.success([.city]))) {
      $0.locations = [.city]
      $0.error = nil
    }
    await store.finish()
  }

  @Test func `Saves run in the order of their changes`() async throws {
    let gate = Gate()
    gate.close()
    let saved = Mutex<[[Location]]>([])
    let client = PersistenceClient(saveLocations: { locations in
      if locations.count == 1 { await gate.pass() }
      saved.withLock { $0.append(locations) }
    })
    let store = makeStore([], client)
    await store.send(.addLocation(.harbor)) { $0.locations = [.harbor] }
    await store.send(.addLocation(.city)) { $0.locations = [.harbor, .city] }
    gate.open()
    await store.finish()
    #expect(saved.withLock { $0 } == [[.harbor], [.harbor, .city]])
  }

  @Test func `Stored locations are followed, and changes keep those of others`() async throws {
    let repository = InMemoryRepository(locations: [.harbor])
    let store = makeStore([], PersistenceClient(repository: repository))
    let effects = await store.send(.startObservingLocations)
    await store.receive(.locationsUpdated([.harbor])) { $0.locations = [.harbor] }
    try await repository.saveLocation(.city)
    await store.receive(.locationsUpdated([.harbor, .city])) { $0.locations = [.harbor, .city] }
    let pier = Location(id: UUID(number: 3), name: "Pier")
    await store.send(.addLocation(pier)) { $0.locations = [.harbor, .city, pier] }
    await store.receive(.locationsUpdated([.harbor, .city, pier]))
    await effects.cancel()
    await store.finish()
    #expect(try await repository.loadLocations() == [.harbor, .city, pier])
  }

  @Test func `A change during the load does not replace the stored locations`() async throws {
    let gate = Gate()
    gate.close()
    let repository = InMemoryRepository(locations: [.harbor])
    var client = PersistenceClient(repository: repository)
    client.loadLocations = {
      await gate.pass()
      return try await repository.loadLocations()
    }
    let store = makeStore([], client)
    await store.send(.onAppear) { $0.isLoading = true }
    await store.send(.addLocation(.city)) { $0.locations = [.city] }
    gate.open()
    await store.receive(.locationsLoaded(.success([.harbor]))) {
      $0.isLoading = false
      $0.locations = [.harbor]
    }
    await store.finish()
    #expect(try await repository.loadLocations() == [.harbor, .city])
  }

  @Test func `A closure that was left out fails the test by its name`() async {
    await withKnownIssue {
      let store = makeStore([], .testValue)
      await store.send(.addLocation(.city)) { $0.locations = [.city] }
      await store.finish()
    } matching: { issue in
      "\(issue.comments)".contains("“persistence.saveLocations”")
    }
  }
}
