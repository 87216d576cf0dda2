import OffshorePresentation
import TestSupport
import Testing

/// A row whose work waits at a gate, and which can cancel it.
private struct Job: Reducer {
  struct State: Identifiable, Equatable, Sendable {
    let id: Int
    var isDone = false
    var isStarted = false
  }

  enum Action: Equatable, Sendable {
    case start
    case stop
    case done
  }

  let gate: Gate

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      state.isStarted = true
      return Effect.run { send in
        await gate.pass()
        await send(.done)
      }
      .cancellable(id: "work")
    case .stop: return .cancel(id: "work")
    case .done:
      state.isDone = true
      return .none
    }
  }
}

/// Two jobs that always exist, an optional one, and a list of them.
private struct Board: ComposedReducer {
  struct State: Equatable, Sendable {
    var left = Job.State(id: 1)
    var right = Job.State(id: 2)
    var open: Job.State?
    var jobs: [Job.State] = []
    var log: [String] = []
  }

  enum Action: Equatable, Sendable {
    case left(Job.Action)
    case right(Job.Action)
    case open(Job.Action)
    case job(Int, Job.Action)
    case opened(Int)
    case closed
    case listed([Int])
    case stopAll

    var open: Job.Action? { if case .open(let action) = self { action } else { nil } }
    var job: (id: Int, action: Job.Action)? {
      if case .job(let id, let action) = self { (id, action) } else { nil }
    }
  }

  let gate: Gate

  var body: some Reducer<State, Action> {
    // NB: Both parts, and the optional one, have actions of the same type.
    Scope(state: \.left, embed: Action.left) { Job(gate: gate) }
    Scope(state: \.right, embed: Action.right) { Job(gate: gate) }
    Reduce { state, action in
      switch action {
      case .opened(let id): state.open = Job.State(id: id)
      case .closed: state.open = nil
      case .listed(let ids): state.jobs = ids.map { Job.State(id: $0) }
      case .stopAll: return .cancel(id: "work")
      case .open(.stop): state.open = nil
      default: break
      }
      state.log.append("\(state.open?.isStarted == true) \(state.left.isStarted)")
      return .none
    }
    .ifLet(\.open, action: \.open, embed: Action.open) { Job(gate: gate) }
    .forEach(\.jobs, action: \.job, embed: Action.job) { Job(gate: gate) }
  }
}

/// A board that can be replaced as a whole.
private struct Office: ComposedReducer {
  struct State: Equatable, Sendable {
    var board = Board.State()
  }

  enum Action: Equatable, Sendable {
    case board(Board.Action)
    case cleared

    var board: Board.Action? { if case .board(let action) = self { action } else { nil } }
  }

  let gate: Gate

  var body: some Reducer<State, Action> {
    Scope(state: \.board, action: \.board, embed: Action.board) { Board(gate: gate) }
    Reduce { state, action in
      if action == .cleared { state.board = Board.State() }
      return .none
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CompositionTests {
  private let gate = Gate()

  private func store(_ state: Board.State = Board.State()) -> Store<Board.State, Board.Action> {
    Store(initialState: state) { Board(gate: gate) }
  }

  // MARK: - Scope

  @Test func `A part handles its own actions, and its effects come back to it`() async {
    let store = store()
    let effects = store.send(.left(.start))
    #expect(store.left.isStarted)
    #expect(!store.right.isStarted)
    gate.open()
    await effects.finish()
    #expect(store.left.isDone)
    #expect(!store.right.isDone)
  }

  @Test func `Reducers of a body run in their order`() {
    let store = store()
    store.send(.left(.start))
    #expect(store.log == ["false true"])
  }

  @Test func `Two parts with the same ids do not cancel each other's effects`() async {
    let store = store()
    let effects = [store.send(.left(.start)), store.send(.right(.start))]
    store.send(.left(.stop))
    gate.open()
    for effect in effects { await effect.finish() }
    #expect(!store.left.isDone)
    #expect(store.right.isDone)
  }

  @Test func `An id of the whole is not that of a part`() async {
    let store = store()
    let effects = store.send(.left(.start))
    store.send(.stopAll)
    gate.open()
    await effects.finish()
    #expect(store.left.isDone)
  }

  // MARK: - Optional parts

  @Test func `An optional part handles its actions while it exists, before the whole does`() {
    let store = store()
    store.send(.opened(7))
    store.send(.open(.start))
    #expect(store.log == ["false false", "true false"])
    #expect(store.open?.isStarted == true)
  }

  @Test func `An action for a missing part is left to the whole`() {
    let store = store()
    store.send(.open(.start))
    #expect(store.open == nil)
    #expect(store.log == ["false false"])
  }

  @Test func `Effects of an optional part come back to it`() async {
    let store = store(Board.State(open: Job.State(id: 7)))
    let effects = store.send(.open(.start))
    gate.open()
    await effects.finish()
    #expect(store.open?.isDone == true)
  }

  @Test func `The effects of a removed part are cancelled`() async {
    let store = store(Board.State(open: Job.State(id: 7)))
    let effects = store.send(.open(.start))
    await gate.waitUntilHeld()
    store.send(.closed)
    gate.open()
    await effects.finish()
    #expect(store.log.count == 2)
  }

  @Test func `The effects of a part do not reach another part in its place`() async {
    let store = store(Board.State(open: Job.State(id: 7)))
    let effects = store.send(.open(.start))
    store.send(.opened(8))
    gate.open()
    await effects.finish()
    #expect(store.open == Job.State(id: 8))
  }

  @Test func `The whole can remove a part that handles the same action`() async {
    let store = store(Board.State(open: Job.State(id: 7)))
    let effects = store.send(.open(.start))
    store.send(.open(.stop))
    gate.open()
    await effects.finish()
    #expect(store.open == nil)
  }

  // MARK: - Rows

  @Test func `A row handles the actions with its id, and its effects come back to it`() async {
    let store = store()
    store.send(.listed([1, 2, 3]))
    let effects = store.send(.job(2, .start))
    gate.open()
    await effects.finish()
    #expect(store.jobs.map(\.isDone) == [false, true, false])
  }

  @Test func `Rows do not cancel each other's effects`() async {
    let store = store()
    store.send(.listed([1, 2]))
    let effects = [store.send(.job(1, .start)), store.send(.job(2, .start))]
    store.send(.job(1, .stop))
    gate.open()
    for effect in effects { await effect.finish() }
    #expect(store.jobs.map(\.isDone) == [false, true])
  }

  @Test func `The effects of a removed row are cancelled, and those of others continue`() async {
    let store = store()
    store.send(.listed([1, 2]))
    let effects = [store.send(.job(1, .start)), store.send(.job(2, .start))]
    store.send(.listed([2, 3]))
    store.send(.listed([2, 1]))
    gate.open()
    for effect in effects { await effect.finish() }
    #expect(store.jobs.map(\.isDone) == [true, false])
  }

  @Test func `An action for a missing row changes no row`() {
    let store = store()
    store.send(.listed([1]))
    store.send(.job(9, .start))
    #expect(store.jobs == [Job.State(id: 1)])
    #expect(store.log.count == 2)
  }

  // MARK: - Several levels

  @Test func `Effects come back through several levels`() async {
    let store = Store(initialState: Office.State()) { Office(gate: gate) }
    store.send(.board(.listed([1])))
    let effects = store.send(.board(.job(1, .start)))
    gate.open()
    await effects.finish()
    #expect(store.board.jobs.map(\.isDone) == [true])
  }

  @Test func `Effects are cancelled if a whole around removes the part or row`() async {
    let store = Store(initialState: Office.State()) { Office(gate: gate) }
    store.send(.board(.opened(1)))
    store.send(.board(.listed([1])))
    let effects = [
      store.send(.board(.open(.start))), store.send(.board(.job(1, .start))),
      store.send(.board(.left(.start))),
    ]
    store.send(.cleared)
    gate.open()
    for effect in effects { await effect.finish() }
    var expected = Board.State()
    expected.left.isDone = true
    expected.log = store.board.log
    #expect(store.board == expected)
  }

  @Test func `A store of a part of a part sends actions through both`() async {
    let store = Store(initialState: Office.State()) { Office(gate: gate) }
    let left = store.scope(state: \.board, action: Office.Action.board)
      .scope(state: \.left, action: Board.Action.left)
    gate.open()
    await left.send(.start).finish()
    #expect(left.isDone)
  }
}
