import Observation
import OffshorePresentation
import Synchronization
import Testing

private struct Cabin: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

private struct Editor: Equatable, Sendable {
  var text = ""
}

/// A feature whose actions replace its parts.
private struct Ship: Reducer {
  struct State: Equatable, Sendable {
    var name = "Vega"
    var crew = Crew()
    var editor: Editor?
    var rows = [
      Cabin(id: 1, title: "one"), Cabin(id: 2, title: "two"), Cabin(id: 3, title: "three"),
    ]
  }

  struct Crew: Equatable, Sendable {
    var captain = "Ann"
    var hands = 4
  }

  typealias Action = Change

  /// A change of the state, by a path.
  enum Change: Sendable {
    case name(String)
    case captain(String)
    case editor(Editor?)
    case rows([Cabin])
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .name(let name): state.name = name
    case .captain(let captain): state.crew.captain = captain
    case .editor(let editor): state.editor = editor
    case .rows(let rows): state.rows = rows
    }
    return .none
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct StoreObservationTests {
  private let store = Store(initialState: Ship.State()) { Ship() }

  /// Returns whether a reader is notified of an action.
  private func isNotified(
    reading read: () -> Void, of actions: Ship.Action...
  ) -> Bool {
    let isNotified = Mutex(false)
    withObservationTracking {
      read()
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    for action in actions { store.send(action) }
    return isNotified.withLock(\.self)
  }

  // MARK: - Parts

  @Test func `A reader of a part is notified when the part has changed`() {
    #expect(isNotified(reading: { _ = store.name }, of: .name("Lyra")))
    #expect(store.name == "Lyra")
  }

  @Test func `A reader of a part is not notified of other parts`() {
    #expect(!isNotified(reading: { _ = store.name }, of: .captain("Bea"), .rows([])))
  }

  @Test func `A change to an equal part notifies no reader`() {
    #expect(!isNotified(reading: { _ = store.state }, of: .name("Vega"), .captain("Ann")))
  }

  @Test func `A reader of the whole state is notified of each part`() {
    #expect(isNotified(reading: { _ = store.state }, of: .captain("Bea")))
    #expect(isNotified(reading: { _ = store.state }, of: .rows([])))
  }

  @Test func `A reader of several parts is notified of each`() {
    let read = { _ = (store.name, store.crew.captain) }
    #expect(isNotified(reading: read, of: .name("Lyra")))
    #expect(isNotified(reading: read, of: .captain("Bea")))
    #expect(!isNotified(reading: read, of: .rows([])))
  }

  @Test func `A change is announced before it is made, and visible after it`() {
    let seen = Mutex<[String]>([])
    withObservationTracking {
      _ = store.name
    } onChange: { [store] in
      MainActor.assumeIsolated { seen.withLock { $0.append(store.name) } }
    }
    store.send(.name("Lyra"))
    #expect(seen.withLock(\.self) == ["Vega"])
    #expect(store.name == "Lyra")
  }

  @Test func `A sequence of observations delivers the changes of a part`() async {
    let names = Observations { [store] in store.name }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "Vega")
    store.send(.captain("Bea"))
    store.send(.name("Lyra"))
    #expect(await iterator.next() == "Lyra")
  }

  // MARK: - Stores of parts

  @Test func `A store of a part has its state, and passes its actions on`() {
    let crew = store.scope(state: \.crew) { (captain: String) in .captain(captain) }
    #expect(crew.state == Ship.Crew())
    crew.send("Bea")
    #expect(crew.captain == "Bea")
    #expect(store.crew.captain == "Bea")
  }

  @Test func `A store of a part notifies its readers of changes in the part only`() {
    let crew = store.scope(state: \.crew) { (captain: String) in .captain(captain) }
    #expect(!isNotified(reading: { _ = crew.state }, of: .name("Lyra")))
    #expect(isNotified(reading: { _ = crew.state }, of: .captain("Bea")))
    #expect(!isNotified(reading: { _ = crew.hands }, of: .captain("Cid")))
  }

  @Test func `A reader is notified by a store of a part that nothing refers to any more`() {
    let read = {
      _ = store.scope(state: \.crew) { (captain: String) in .captain(captain) }.captain
    }
    #expect(isNotified(reading: read, of: .captain("Bea")))
  }

  @Test func `A store of a part of a part reads through both`() {
    let crew = store.scope(state: \.crew) { (captain: String) in .captain(captain) }
    let captain = crew.scope(state: \.captain) { (name: String) in name }
    #expect(!isNotified(reading: { _ = captain.state }, of: .name("Lyra")))
    #expect(isNotified(reading: { _ = captain.state }, of: .captain("Bea")))
    captain.send("Cid")
    #expect(captain.state == "Cid")
  }

  @Test func `A store of a part retains the state after the whole store is released`() {
    weak var released: Store<Ship.State, Ship.Action>?
    var crew: Store<Ship.Crew, String>?
    do {
      let store = Store(initialState: Ship.State()) { Ship() }
      released = store
      crew = store.scope(state: \.crew) { .captain($0) }
    }
    #expect(released == nil)
    crew?.send("Bea")
    #expect(crew?.captain == "Bea")
  }

  // MARK: - Optional parts

  private var editor: Store<Editor, Editor>? {
    store.scope(state: \.editor) { (editor: Editor) in .editor(editor) }
  }

  @Test func `A missing part has no store, and its appearance is observed`() {
    #expect(editor == nil)
    #expect(!isNotified(reading: { _ = editor }, of: .name("Lyra")))
    #expect(isNotified(reading: { _ = editor }, of: .editor(Editor(text: "a"))))
    #expect(editor?.text == "a")
  }

  @Test func `A reader of whether a part exists is not notified of changes in it`() {
    store.send(.editor(Editor(text: "a")))
    #expect(!isNotified(reading: { _ = editor }, of: .editor(Editor(text: "b"))))
    #expect(isNotified(reading: { _ = editor }, of: .editor(nil)))
  }

  @Test func `A reader of an optional part is notified of its changes and its end`() {
    store.send(.editor(Editor(text: "a")))
    let editor = editor
    #expect(isNotified(reading: { _ = editor?.text }, of: .editor(Editor(text: "b"))))
    #expect(isNotified(reading: { _ = editor?.text }, of: .editor(nil)))
  }

  @Test func `After its end, a store of an optional part has the last state`() {
    store.send(.editor(Editor(text: "a")))
    let editor = editor
    store.send(.editor(nil))
    #expect(editor?.text == "a")
    #expect(isNotified(reading: { _ = editor?.text }, of: .editor(Editor(text: "c"))))
    #expect(editor?.text == "c")
  }

  // MARK: - Rows

  private func row(_ id: Int) -> Store<Cabin, String>? {
    store.scope(state: \.rows, id: id) { title in .rows([Cabin(id: id, title: title)]) }
  }

  @Test func `A store of a row has the row with the id, wherever it is`() {
    let row = row(2)
    #expect(row?.title == "two")
    store.send(.rows([Cabin(id: 2, title: "TWO"), Cabin(id: 1, title: "one")]))
    #expect(row?.title == "TWO")
    store.send(
      .rows([Cabin(id: 8, title: "8"), Cabin(id: 9, title: "9"), Cabin(id: 2, title: "last")]))
    #expect(row?.title == "last")
  }

  @Test func `A missing row has no store`() {
    #expect(row(7) == nil)
    #expect(isNotified(reading: { _ = row(7) }, of: .rows([Cabin(id: 7, title: "seven")])))
    #expect(row(7)?.title == "seven")
  }

  @Test func `A reader of a row is not notified of other rows and moves`() {
    let row = row(2)
    let read = { _ = row?.state }
    let moved = [
      Cabin(id: 3, title: "new"), Cabin(id: 1, title: "one"), Cabin(id: 4, title: "four"),
      Cabin(id: 2, title: "two"),
    ]
    #expect(!isNotified(reading: read, of: .rows(moved)))
    #expect(isNotified(reading: read, of: .rows([Cabin(id: 2, title: "new")])))
    #expect(isNotified(reading: read, of: .rows([])))
    #expect(row?.title == "new")
  }

  @Test func `A store of a row passes its actions on`() {
    row(2)?.send("renamed")
    #expect(store.rows == [Cabin(id: 2, title: "renamed")])
  }
}
