import Foundation
import OffshorePresentation

/// A value of the feature under test.
struct Place: Identifiable, Equatable, Sendable {
  let id: UUID
  var name: String
}

/// Storage as a client of closures, of which a test sets those that it needs.
struct PlacesClient: Sendable {
  var load: @Sendable () async throws -> [Place]
  var save: @Sendable ([Place]) async throws -> Void
  var changes: @Sendable () -> AsyncStream<[Place]>

  init(
    load: @escaping @Sendable () async throws -> [Place] = {
      DependencyValues.current.reportUnset("places.load")
      return []
    },
    save: @escaping @Sendable ([Place]) async throws -> Void = { _ in
      DependencyValues.current.reportUnset("places.save")
    },
    changes: @escaping @Sendable () -> AsyncStream<[Place]> = {
      DependencyValues.current.reportUnset("places.changes")
      return AsyncStream { $0.finish() }
    }
  ) {
    self.load = load
    self.save = save
    self.changes = changes
  }
}

private enum PlacesKey: DependencyKey {
  static let liveValue = PlacesClient()
  static let testValue: PlacesClient? = PlacesClient()
}

extension DependencyValues {
  var places: PlacesClient {
    get { self[PlacesKey.self] }
    set { self[PlacesKey.self] = newValue }
  }
}

/// A list of places that is loaded, observed and changed.
struct Places: Reducer {
  struct State: Equatable, Sendable {
    var places: [Place] = []
    var isLoading = false
    var error: AppError?
    var former: [Place]?
  }

  enum Action: Equatable, Sendable {
    case onAppear
    case loaded(Result<[Place], AppError>)
    case observingStarted
    case observed([Place])
    case addTapped(String)
    case saveFailed(AppError)
    case searchChanged(String)
    case searchDue
  }

  @Dependency(\.places) private var client
  @Dependency(\.uuid) private var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .onAppear:
      state.isLoading = true
      return .run { send in
        await send(.loaded(.success(try await client.load())))
      } failure: {
        .loaded(.failure($0))
      }
    case .loaded(let result):
      state.isLoading = false
      switch result {
      case .success(let places): state.places = places
      case .failure(let error): state.error = error
      }
    case .observingStarted:
      return .run { send in
        for await places in client.changes() { await send(.observed(places)) }
      }
    case .observed(let places): state.places = places
    case .addTapped(let name): return add(name, to: &state)
    case .saveFailed(let error):
      state.places = state.former ?? []
      state.error = error
    case .searchChanged: return .send(.searchDue).debounce(id: "search", for: .milliseconds(300))
    case .searchDue: state.places.removeAll()
    }
    return .none
  }

  private func add(_ name: String, to state: inout State) -> Effect<Action> {
    state.former = state.places
    state.places.append(Place(id: uuid(), name: name))
    return .run { [places = state.places] _ in
      try await client.save(places)
    } failure: {
      .saveFailed($0)
    }
  }
}
