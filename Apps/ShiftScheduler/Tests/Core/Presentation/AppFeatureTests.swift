import Foundation
import OffshoreCalendar
import OffshorePresentation
import OffshorePresentationTesting
import Synchronization
import TestSupport
import Testing

@testable import ShiftScheduler

/// The composition of the features.
@MainActor
struct AppFeatureTests {
  private typealias Feature = AppFeature

  private func makeStore(
    _ repository: any PersistenceRepository, _ state: Feature.State
  ) -> TestStore<Feature.State, Feature.Action> {
    TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.persistence = PersistenceClient(repository: repository)
      $0.settings = SettingsClient(load: { AppSettings() }, count: { RecordCounts() })
      $0.teams = TeamsClient { try .makeEmpty() }
      $0.calendar = .utc
      $0.uuid = UUID.numbered()
    }
  }

  private func makeState(
    _ locations: [Location], _ shiftTypes: [ShiftType]
  ) -> Feature.State {
    var state = Feature.State(day: .june)
    (state.locations.locations, state.schedule.locations) = (locations, locations)
    (state.shiftTypes.shiftTypes, state.schedule.shiftTypes) = (shiftTypes, shiftTypes)
    return state
  }

  @Test func `The calendar knows the locations and shift types of the other features`() async {
    let store = makeStore(InMemoryRepository(), makeState([], []))
    await store.send(.locations(.addLocation(.city))) {
      $0.locations.locations = [.city]
      $0.schedule.locations = [.city]
    }
    await store.send(.shiftTypes(.saveShiftType(.early))) {
      $0.shiftTypes.shiftTypes = [.early]
      $0.schedule.shiftTypes = [.early]
    }
    await store.finish()
  }

  @Test func `A location in use is removed with a choice only, in one change`() async throws {
    let repository = InMemoryRepository(shiftTypes: [.early], locations: [.harbor, .city])
    let store = makeStore(repository, makeState([.harbor, .city], [.early]))
    let id = Location.harbor.id
    let removal = Feature.Removal(record: .location(id), users: 1)
    await store.send(.locations(.deleteLocation(id)))
    await store.receive(.remove(.location(id), nil))
    await store.receive(.removalNeedsChoice(removal)) { $0.removal = removal }
    var moved = ShiftType.early
    moved.locationID = Location.city.id
    await store.send(.remove(.location(id), .move(to: Location.city.id))) { $0.removal = nil }
    await store.receive(.locations(.locationsUpdated([.city]))) {
      $0.locations.locations = [.city]
      $0.schedule.locations = [.city]
    }
    await store.receive(.shiftTypes(.shiftTypesUpdated([moved]))) {
      $0.shiftTypes.shiftTypes = [moved]
      $0.schedule.shiftTypes = [moved]
    }
    await store.finish()
    #expect(try await repository.loadChanges().count == 1)
  }

  @Test func `A shift type in use is removed with a choice only`() async throws {
    let repository = InMemoryRepository(
      shiftTypes: [.early], shifts: [.june(1), .june(2)])
    let store = makeStore(repository, makeState([], [.early]))
    let id = ShiftType.early.id
    await store.send(.shiftTypes(.deleteShiftType(id: id)))
    let removal = Feature.Removal(record: .shiftType(id), users: 2)
    await store.receive(.remove(.shiftType(id), nil))
    await store.receive(.removalNeedsChoice(removal)) { $0.removal = removal }
    await store.send(.remove(.shiftType(id), .clear)) { $0.removal = nil }
    await store.receive(.locations(.locationsUpdated([])))
    await store.receive(.shiftTypes(.shiftTypesUpdated([]))) {
      $0.shiftTypes.shiftTypes = []
      $0.schedule.shiftTypes = []
    }
    await store.finish()
    #expect(try await repository.loadShifts() == [])
  }

  @Test func `A removal that fails is an error`() async {
    let store = makeStore(
      MockPersistenceRepository(shouldThrowError: true), makeState([.city], []))
    let error = AppError.unknown(underlying: MockPersistenceRepository.MockError.loadFailed)
    await store.send(.locations(.deleteLocation(Location.city.id)))
    await store.receive(.remove(.location(Location.city.id), nil))
    await store.receive(.removalFailed(error)) { $0.locations.error = error }
    await store.finish()
  }

  @Test func `The removal of a record that does not exist changes nothing`() async throws {
    let repository = InMemoryRepository(locations: [.city])
    let store = makeStore(repository, makeState([.city], []))
    await store.send(.remove(.location(Location.harbor.id), nil))
    await store.send(.remove(.shiftType(ShiftType.early.id), .clear))
    await store.finish()
    #expect(try await repository.loadChanges() == [])
  }

  @Test func `The features of one store load and follow their records`() async throws {
    let repository = InMemoryRepository(
      shiftTypes: [.early], locations: [.harbor], shifts: [.june(1)])
    var settings = AppSettings()
    settings.firstWeekday = .sunday
    let store = Store(initialState: Feature.State(day: .june)) {
      AppFeature()
    } withDependencies: {
      $0.persistence = PersistenceClient(repository: repository)
      $0.settings = SettingsClient(
        load: { [settings] in settings }, count: { RecordCounts() })
      $0.teams = TeamsClient { try .makeEmpty() }
      $0.calendar = .utc
    }
    let actions: [Feature.Action] = [
      .settings(.onAppear), .locations(.startObservingLocations),
      .shiftTypes(.startObservingShiftTypes), .schedule(.startObservingShifts),
      .changeLog(.startObservingChanges), .teams(.onAppear),
    ]
    let effects = actions.map { store.send($0) }
    try await repository.saveShift(.june(2))
    await waitUntil {
      store.state.schedule.shifts == [.june(1), .june(2)]
        && store.state.changeLog.changes.count == 1
        && store.state.locations.locations == [.harbor]
        && store.state.shiftTypes.shiftTypes == [.early]
        && store.state.schedule.firstWeekday == .sunday && store.state.teams.list != nil
    }
    for effect in effects { await effect.cancel() }
  }

  @Test func `A change of a team that fails is an error of the teams`() async {
    let store = makeStore(InMemoryRepository(), makeState([], []))
    await store.send(.teams(.perform(.save(Team(id: UUID(number: 1), name: "Crew")))))
    await store.receive(.teams(.failed(.auth(.notSignedIn)))) {
      $0.teams.error = .auth(.notSignedIn)
    }
    await store.finish()
  }

  @Test func `The teams are followed until the store is released`() async throws {
    let (lists, teams) = AsyncThrowingStream.makeStream(of: TeamList.self)
    let isReleased = Mutex(false)
    teams.onTermination = { _ in isReleased.withLock { $0 = true } }
    do {
      let store = Store(initialState: makeState([], [])) {
        AppFeature()
      } withDependencies: {
        $0.teams = TeamsClient(
          observeTeams: { lists },
          observeBoard: { _, _ in AsyncThrowingStream<TeamBoard, any Error> { _ in } },
          perform: { _, _ in })
      }
      store.send(.teams(.onAppear))
      #expect(!store.teams.isRead)
      teams.yield(TeamList(teams: [Team(id: UUID(number: 1), name: "Crew")]))
      await waitUntil { store.teams.isRead }
      #expect(store.teams.list?.teams.map(\.name) == ["Crew"])
    }
    while !isReleased.withLock(\.self) { await Task.yield() }
  }
}
