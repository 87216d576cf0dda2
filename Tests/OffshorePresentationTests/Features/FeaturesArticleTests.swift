import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import Synchronization
import Testing

// The examples of the article “Features”; Tests/Gates holds the two to the same lines.

private struct Harbor: Identifiable, Equatable, Sendable {
  let id: UUID
  var name: String
}

private struct HarborsFeature: Reducer {
  struct State: Equatable, Sendable {
    var harbors: [Harbor] = []
    var isLoading = false
    var error: AppError?
  }

  enum Action: Equatable, Sendable {
    case onAppear
    case loaded(Result<[Harbor], AppError>)
    case addTapped(String)
    case saveFailed(AppError, former: [Harbor])
  }

  @Dependency(\.harbors) private var client
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
    case .loaded(.success(let harbors)):
      state.isLoading = false
      state.harbors = harbors
    case .loaded(.failure(let error)):
      state.isLoading = false
      state.error = error
    case .addTapped(let name):
      let former = state.harbors
      state.harbors.append(Harbor(id: uuid(), name: name))
      return .run { [harbors = state.harbors] _ in
        try await client.save(harbors)
      } failure: {
        .saveFailed($0, former: former)
      }
    case .saveFailed(let error, let former):
      state.harbors = former
      state.error = error
    }
    return .none
  }
}

private struct HarborClient: Sendable {
  var load: @Sendable () async throws -> [Harbor] = {
    DependencyValues.current.reportUnset("harbors.load")
    return []
  }
  var save: @Sendable ([Harbor]) async throws -> Void = { _ in
    DependencyValues.current.reportUnset("harbors.save")
  }
}

private enum HarborClientKey: DependencyKey {
  static let liveValue = HarborClient()
  static let testValue: HarborClient? = HarborClient()
}

extension DependencyValues {
  fileprivate var harbors: HarborClient {
    get { self[HarborClientKey.self] }
    set { self[HarborClientKey.self] = newValue }
  }
}

private struct EditorFeature: Reducer {
  struct State: Equatable, Sendable {
    var harbor: Harbor
  }

  enum Action: Equatable, Sendable {
    case nameChanged(String)
    case doneTapped
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .nameChanged(let name) = action { state.harbor.name = name }
    return .none
  }
}

private struct TripFeature: ComposedReducer {
  struct State: Equatable, Sendable {
    var harbors = HarborsFeature.State()
    var editor: EditorFeature.State?
  }

  enum Action: Equatable, Sendable {
    case harbors(HarborsFeature.Action)
    case editor(EditorFeature.Action)
    case renameTapped(Harbor)

    var harbors: HarborsFeature.Action? {
      if case .harbors(let action) = self { action } else { nil }
    }
    var editor: EditorFeature.Action? { if case .editor(let action) = self { action } else { nil } }
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.harbors, action: \.harbors, embed: Action.harbors) { HarborsFeature() }
    Reduce { state, action in
      switch action {
      case .renameTapped(let harbor): state.editor = EditorFeature.State(harbor: harbor)
      case .editor(.doneTapped): state.editor = nil
      case .harbors, .editor: break
      }
      return .none
    }
    .ifLet(\.editor, action: \.editor, embed: Action.editor) { EditorFeature() }
  }
}

/// Names that were reported.
private final class Names: Sendable {
  private let list = Mutex<[String]>([])
  var all: [String] { list.withLock(\.self) }
  func add(_ name: String) { list.withLock { $0.append(name) } }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct FeaturesArticleTests {
  private let vis = Harbor(id: UUID(number: 1), name: "Vis")

  @Test func `A store loads by its dependencies`() async {
    let store = Store(initialState: HarborsFeature.State()) {
      HarborsFeature()
    } withDependencies: {
      $0.harbors.load = { [Harbor(id: UUID(number: 1), name: "Vis")] }
    }
    await store.send(.onAppear).finish()
    #expect(store.harbors.map(\.name) == ["Vis"])
    #expect(!store.isLoading)
  }

  @Test func `A change that cannot be saved is reverted`() async {
    let store = Store(initialState: HarborsFeature.State(harbors: [vis])) {
      HarborsFeature()
    } withDependencies: {
      $0.uuid = UUID.numbered()
      $0.harbors.save = { _ in throw AppError.database(.full) }
    }
    let saving = store.send(.addTapped("Hvar"))
    #expect(store.harbors.map(\.name) == ["Vis", "Hvar"])
    await saving.finish()
    #expect(store.state == HarborsFeature.State(harbors: [vis], error: .database(.full)))
  }

  @Test func `A trip has stores of its parts`() {
    let trip = Store(initialState: TripFeature.State()) { TripFeature() }
    let harbors = trip.scope(state: \.harbors, action: TripFeature.Action.harbors)
    let editor = trip.scope(state: \.editor, action: TripFeature.Action.editor)
    #expect(editor == nil)
    harbors.send(.loaded(.success([vis])))
    #expect(trip.harbors.harbors == [vis])
    trip.send(.renameTapped(vis))
    let opened = trip.scope(state: \.editor, action: TripFeature.Action.editor)
    opened?.send(.nameChanged("Komiža"))
    #expect(trip.editor?.harbor.name == "Komiža")
    opened?.send(.doneTapped)
    #expect(trip.editor == nil)
  }

  @Test func `A closure of a client without a value is reported, and does nothing`() async throws {
    let names = Names()
    let harbors = try await withDependencies {
      $0.context = .test
      $0.reportUnset = { names.add($0) }
    } operation: {
      let client = DependencyValues.current.harbors
      try await client.save([vis])
      return try await client.load()
    }
    #expect(harbors.isEmpty)
    #expect(names.all == ["harbors.save", "harbors.load"])
  }
}
