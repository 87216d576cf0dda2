import OffshorePresentation
import Synchronization
import TestSupport
import Testing

/// The effects of a feature with a stored list.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ListEffectsTests {
  struct Harbor: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
  }

  /// A feature with a list of harbors.
  struct Harbors: Reducer {
    struct State: Equatable, Sendable, ListState {
      var elements: [Harbor] = []
      var isLoading = false
      var error: AppError?
    }

    enum Action: Equatable, Sendable {
      case load, observe
      case save(Harbor)
      case delete(Int)
      case loaded(Result<[Harbor], AppError>)
      case updated([Harbor])
      case failed(FailedSave<Harbor>)
    }

    let effects: ListEffects<Harbor, Action>

    init(_ storage: Storage) {
      effects = ListEffects(
        { storage.closures }, loaded: Action.loaded, updated: Action.updated,
        failed: Action.failed)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .load: return effects.loading(&state)
      case .observe: return effects.observing()
      case .save(let harbor): return effects.saving(harbor, in: &state)
      case .delete(let id): return effects.deleting(id, in: &state)
      case .loaded(let result): state.receive(result)
      case .updated(let harbors): state.elements = harbors
      case .failed(let save): if state.restore(save) { return effects.reloading() }
      }
      return .none
    }
  }

  /// A storage that records its calls, and can fail.
  final class Storage: Sendable {
    private struct Content {
      var harbors: [Harbor] = []
      var calls: [String] = []
      var error: AppError?
    }

    let gate = Gate(isOpen: true)
    private let signals = ChangeSignals()
    private let content = Mutex(Content())

    init(_ harbors: Harbor...) { content.withLock { $0.harbors = harbors } }

    var harbors: [Harbor] { content.withLock { $0.harbors } }
    var calls: [String] { content.withLock { $0.calls } }
    func fail(_ error: AppError?) { content.withLock { $0.error = error } }

    private func perform(
      _ call: String, _ change: @Sendable (inout [Harbor]) -> Void = { _ in }
    ) async throws -> [Harbor] {
      await gate.pass()
      let result = content.withLock { content -> Result<[Harbor], AppError> in
        content.calls.append(call)
        if let error = content.error { return .failure(error) }
        change(&content.harbors)
        return .success(content.harbors)
      }
      signals.notify()
      return try result.get()
    }

    var closures: ListStorage<Harbor> {
      ListStorage(
        load: { try await self.perform("load") },
        saveAll: { harbors in _ = try await self.perform("saveAll") { $0 = harbors } },
        save: { harbor in _ = try await self.perform("save") { $0.append(harbor) } },
        delete: { id in _ = try await self.perform("delete") { $0.removeAll { $0.id == id } } },
        observe: { AsyncStream(loadedAfter: self.signals.stream()) { self.harbors } })
    }
  }

  private func makeStore(
    _ storage: Storage, _ elements: Harbor...
  ) -> Store<Harbors.State, Harbors.Action> {
    Store(initialState: Harbors.State(elements: elements)) { Harbors(storage) }
  }

  @Test func `A list is loaded, and changes are saved as a whole`() async {
    let storage = Storage(Harbor(id: 1))
    let store = makeStore(storage)
    await store.send(.load).finish()
    #expect(store.elements == [Harbor(id: 1)] && !store.isLoading)
    await store.send(.save(Harbor(id: 2))).finish()
    await store.send(.save(Harbor(id: 1, name: "Vis"))).finish()
    await store.send(.delete(2)).finish()
    #expect(storage.harbors == [Harbor(id: 1, name: "Vis")])
    #expect(storage.calls == ["load", "saveAll", "saveAll", "saveAll"])
  }

  @Test func `A change of a list that may be incomplete is saved alone`() async {
    let storage = Storage(Harbor(id: 1))
    let store = makeStore(storage)
    storage.gate.close()
    let load = store.send(.load)
    let save = store.send(.save(Harbor(id: 2)))
    #expect(store.elements == [Harbor(id: 2)])
    storage.gate.open()
    await load.finish()
    await save.finish()
    #expect(storage.harbors == [Harbor(id: 1), Harbor(id: 2)])
    #expect(storage.calls == ["load", "save"])
  }

  @Test func `A damaged list is not replaced by a change`() async {
    let storage = Storage(Harbor(id: 1))
    storage.fail(.database(.fileDamaged(name: "harbors.json", hasCopy: true)))
    let store = makeStore(storage)
    await store.send(.load).finish()
    await store.send(.delete(7)).finish()
    #expect(storage.calls == ["load", "delete"])
    #expect(store.error != nil)
  }

  @Test func `An observed list is followed, and its changes are saved alone`() async {
    let storage = Storage(Harbor(id: 1))
    let store = makeStore(storage)
    let observation = store.send(.observe)
    await waitUntil { store.elements == [Harbor(id: 1)] }
    await store.send(.save(Harbor(id: 2))).finish()
    await waitUntil { store.elements.count == 2 }
    #expect(storage.calls == ["save"])
    await observation.cancel()
  }

  @Test func `A save that fails restores the list before it`() async {
    let storage = Storage()
    storage.fail(.database(.full))
    let store = makeStore(storage, Harbor(id: 1))
    await store.send(.save(Harbor(id: 2))).finish()
    #expect(store.elements == [Harbor(id: 1)] && store.error == .database(.full))
  }

  @Test func `A save that fails after a later change loads the list`() async {
    let storage = Storage(Harbor(id: 5))
    let store = makeStore(storage, Harbor(id: 1))
    storage.fail(.database(.full))
    storage.gate.close()
    let first = store.send(.save(Harbor(id: 2)))
    let second = store.send(.save(Harbor(id: 3)))
    storage.gate.open()
    await first.finish()
    await second.finish()
    #expect(storage.calls.filter { $0 == "load" }.count >= 1)
    #expect(store.error == .database(.full))
  }
}
