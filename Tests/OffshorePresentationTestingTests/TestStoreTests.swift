import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import TestSupport
import Testing

/// Storage in an actor.
private actor Storage {
  private(set) var names: [String] = []
  func add(_ place: Place) { names.append(place.name) }
}

@MainActor private func visitMainActor() async {}

@concurrent private func pass() async { await Task.yield() }

@MainActor @Suite(.timeLimit(.minutes(1)))
struct TestStoreTests {
  private let vis = Place(id: UUID(number: 1), name: "Vis")

  private func store(
    _ client: PlacesClient, from state: Places.State = Places.State(),
    timeout: Duration = .seconds(5),
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStore<Places.State, Places.Action> {
    TestStore(initialState: state, timeout: timeout) {
      Places()
    } withDependencies: {
      $0.places = client
      $0.uuid = UUID.numbered()
      change(&$0)
    }
  }

  @Test func `A test states the changes of its actions and of those of effects`() async {
    let store = store(PlacesClient(load: { [vis] in [vis] }))
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.loaded(.success([vis]))) {
      $0.isLoading = false
      $0.places = [vis]
    }
    await store.finish()
    #expect(store.state.places == [vis])
  }

  @Test func `An error of an effect is received as an action`() async {
    let store = store(PlacesClient(load: { throw AppError.database(.full) }))
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.loaded(.failure(.database(.full)))) {
      $0.isLoading = false
      $0.error = .database(.full)
    }
    await store.finish()
  }

  @Test func `An action of an effect changes the state when it is received, and not before`() async
  {
    let store = store(PlacesClient(load: { [vis] in [vis] }))
    await store.send(.onAppear) { $0.isLoading = true }
    #expect(store.state == Places.State(isLoading: true))
    await store.receive(.loaded(.success([vis]))) {
      $0 = Places.State(places: [vis])
    }
  }

  @Test func `Ids have numbers, in the reducer and in the expectation`() async {
    let store = store(PlacesClient(save: { _ in }))
    await store.send(.addTapped("Vis")) {
      $0.places = [vis]
      $0.former = []
    }
    await store.send(.addTapped("Hvar")) {
      $0.places = [vis, Place(id: UUID(number: 2), name: "Hvar")]
      $0.former = [vis]
    }
    await store.finish()
  }

  @Test func `A quick effect without an action needs no line of the test`() async {
    let store = store(PlacesClient(save: { _ in await Task.yield() }))
    await store.send(.addTapped("Vis")) {
      $0.places = [vis]
      $0.former = []
    }
  }

  @Test func `A quick effect of an actor and of a function in the pool needs no line either`() async
  {
    let storage = Storage()
    let store = store(
      PlacesClient(save: { places in
        for place in places { await storage.add(place) }
        await pass()
      }))
    for (number, name) in zip(1..., ["Vis", "Hvar", "Brac"]) {
      await store.send(.addTapped(name)) {
        $0.former = $0.places
        $0.places.append(Place(id: UUID(number: number), name: name))
      }
    }
    #expect(await storage.names == ["Vis", "Vis", "Hvar", "Vis", "Hvar", "Brac"])
  }

  @Test func `A quick effect that visits the main actor needs no line either`() async {
    let store = store(PlacesClient(save: { _ in for _ in 0..<5 { await visitMainActor() } }))
    await store.send(.addTapped("Vis")) {
      $0.places = [vis]
      $0.former = []
    }
  }

  @Test func `Effects of a removed part are cancelled, and need no line`() async {
    let gate = Gate()
    let store = TestStore(initialState: Optional("part")) {
      Reduce<String?, Bool> { state, isOpen in
        if !isOpen { state = nil }
        return .none
      }
      .ifLet(\.self, action: { $0 ? "start" : nil }, embed: { $0 == "start" }) {
        Reduce<String, String> { _, _ in .run { _ in await gate.pass() } }
      }
    }
    await store.send(true)
    await store.send(false) { $0 = nil }
    await store.finish()
    gate.open()
  }

  @Test func `Effects on other threads are waited for`() async {
    let load = Task.detached { [vis] in
      for _ in 0..<100 { await Task.yield() }
      return [vis]
    }
    let store = store(PlacesClient(load: { await load.value }))
    await store.send(.onAppear) { $0.isLoading = true }
    await store.receive(.loaded(.success([vis]))) { $0 = Places.State(places: [vis]) }
    await store.finish()
  }

  @Test func `Actions of an endless effect are received until the test cancels it`() async {
    let (changes, continuation) = AsyncStream.makeStream(of: [Place].self)
    let store = store(PlacesClient(changes: { changes }), timeout: .seconds(600))
    let observing = await store.send(.observingStarted)
    continuation.yield([vis])
    await store.receive(.observed([vis])) { $0.places = [vis] }
    continuation.yield([])
    await store.receive(.observed([])) { $0.places = [] }
    await observing.cancel()
    await store.finish()
  }

  @Test func `An action whose effects have ended can be waited for`() async {
    let gate = Gate()
    let store = store(PlacesClient(save: { _ in await gate.pass() }))
    let saving = await store.send(.addTapped("Vis")) {
      $0.places = [vis]
      $0.former = []
    }
    gate.open()
    await saving.finish()
  }

  @Test func `Effects wait until the test moves the clock`() async {
    let clock = TestClock()
    let store = store(PlacesClient(), from: Places.State(places: [vis])) { $0.clock = clock }
    await store.send(.searchChanged("V"))
    await clock.advance(by: .milliseconds(200))
    await store.send(.searchChanged("Vi"))
    await clock.advance(by: .milliseconds(299))
    #expect(store.state.places == [vis])
    await clock.advance(by: .milliseconds(1))
    await store.receive(.searchDue) { $0.places = [] }
    await store.finish()
  }

  @Test func `A feature runs in the context of tests`() async {
    let store = TestStore(initialState: "") {
      Reduce<String, Int> { state, _ in
        state = "\(DependencyValues.current.context)"
        return .none
      }
    }
    await store.send(1) { $0 = "test" }
  }

  @Test func `Values around a store hold in it, and those of the store override them`() async {
    let store = withDependencies {
      $0.locale = Locale(identifier: "de")
      $0.uuid = UUID.numbered()
    } operation: {
      TestStore(initialState: "") {
        Reduce<String, Int> { state, _ in
          let values = DependencyValues.current
          state = "\(values.locale.identifier) \(values.uuid() == UUID(number: 9))"
          return .none
        }
      } withDependencies: {
        $0.uuid = { UUID(number: 9) }
      }
    }
    await store.send(1) { $0 = "de true" }
  }

  @Test func `A store is released with its last reference, and its effects are cancelled`() async {
    let cancelled = Gate(isOpen: true)
    weak var released: TestStore<String, Int>?
    let texts = await issues {
      let store = TestStore(initialState: "") {
        Reduce<String, Int> { _, _ in
          .run { _ in
            try? await waitUntilCancelled()
            await cancelled.pass()
          }
        }
      }
      released = store
      await store.send(1)
    }
    #expect(texts.count == 1)
    #expect(released == nil)
    await cancelled.waitForArrivals()
  }
}
