import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import Testing

// The examples of the module's article; Tests/Gates holds the two to the same lines.

private struct Harbor: Identifiable, Equatable, Sendable {
  let id: UUID
  var name: String
}

private struct HarborClient: Sendable {
  var load: @Sendable () async throws -> [Harbor] = {
    DependencyValues.current.reportUnset("harbors.load")
    return []
  }
  var save: @Sendable ([Harbor]) async throws -> Void = { _ in
    DependencyValues.current.reportUnset("harbors.save")
  }
  var changes: @Sendable () -> AsyncStream<[Harbor]> = {
    DependencyValues.current.reportUnset("harbors.changes")
    return AsyncStream { $0.finish() }
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
    case observingStarted
    case observed([Harbor])
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
    case .loaded(let result):
      state.isLoading = false
      if case .success(let harbors) = result { state.harbors = harbors }
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
    case .observingStarted:
      return .run { send in
        for await harbors in client.changes() { await send(.observed(harbors)) }
      }
    case .observed(let harbors): state.harbors = harbors
    }
    return .none
  }
}

private struct SearchFeature: Reducer {
  struct State: Equatable, Sendable {
    var text = ""
    var results: [String] = []
  }

  enum Action: Equatable, Sendable {
    case textChanged(String)
    case textSettled
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .textChanged(let text):
      state.text = text
      return .send(.textSettled).debounce(id: "search", for: .milliseconds(300))
    case .textSettled:
      state.results = [state.text]
      return .none
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct TestingFeaturesArticleTests {
  private let vis = Harbor(id: UUID(number: 1), name: "Vis")

  @Test func `A test states all changes and actions`() async {
    let store = TestStore(initialState: HarborsFeature.State()) {
      HarborsFeature()
    } withDependencies: {
      $0.uuid = UUID.numbered()
      $0.harbors.load = { [] }
      $0.harbors.save = { _ in throw AppError.database(.full) }
    }
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.loaded(.success([]))) { $0.isLoading = false }
    await store.send(.addTapped("Vis")) {
      $0.harbors = [Harbor(id: UUID(number: 1), name: "Vis")]
    }
    await store.receive(.saveFailed(.database(.full), former: [])) {
      $0.harbors = []
      $0.error = .database(.full)
    }
    await store.finish()
  }

  @Test func `An issue has a line for each part that differs`() async {
    let state = HarborsFeature.State(harbors: [vis])
    let texts = await issues {
      let store = TestStore(initialState: state) {
        HarborsFeature()
      } withDependencies: {
        $0.uuid = { UUID(number: 2) }
        $0.harbors.save = { _ in }
      }
      await store.send(.addTapped("Hvar")) {
        $0.harbors.append(Harbor(id: UUID(number: 2), name: "Hva"))
      }
    }
    #expect(
      texts == [
        """
        The state after `.addTapped("Hvar")` differs from the asserted one:
          harbors[1, id \(UUID(number: 2))].name: expected "Hva", found "Hvar"
        """
      ])
  }

  @Test func `An endless effect is cancelled by the test`() async {
    let (changes, continuation) = AsyncStream.makeStream(of: [Harbor].self)
    continuation.yield([vis])
    let store = TestStore(initialState: HarborsFeature.State()) {
      HarborsFeature()
    } withDependencies: {
      $0.harbors.changes = { changes }
    }
    let observing = await store.send(.observingStarted)
    await store.receive(.observed([vis])) { $0.harbors = [vis] }
    await observing.cancel()
    await store.finish()
  }

  @Test func `A test moves the clock`() async {
    let clock = TestClock()
    let store = TestStore(initialState: SearchFeature.State()) {
      SearchFeature()
    } withDependencies: {
      $0.clock = clock
    }
    await store.send(.textChanged("V")) { $0.text = "V" }
    await clock.advance(by: .milliseconds(299))
    await store.send(.textChanged("Vi")) { $0.text = "Vi" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.textSettled) { $0.results = ["Vi"] }
    await store.finish()
  }

  @Test(.dependencies { $0.date = { Date(timeIntervalSince1970: 0) } })
  func `A day of 1971 is not past`() {
    #expect(Date(timeIntervalSince1970: 86_400 * 365) > DependencyValues.current.date())
  }
}
