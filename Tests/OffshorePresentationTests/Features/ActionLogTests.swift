import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import Testing

/// A feature whose state depends on the order of the actions.
private struct Digits: Reducer {
  struct State: Equatable, Sendable {
    var number = 0
    var ids: [UUID] = []
  }

  enum Action: Equatable, Sendable {
    case typed(Int)
    case doubled
    case nameTapped
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let digit):
      state.number = (state.number &* 31 &+ digit) % 1_000_003
      return digit == 9 ? .run { await $0(.doubled) } : .none
    case .doubled: state.number &*= 2
    case .nameTapped: state.ids.append(DependencyValues.current.uuid())
    }
    return .none
  }
}

// Tests of a release build have no log.
#if DEBUG
  @MainActor @Suite(.timeLimit(.minutes(1)))
  struct ActionLogTests {
    private let store = Store(initialState: Digits.State(number: 1)) {
      Digits()
    } withDependencies: {
      $0.uuid = UUID.numbered()
    }

    private func replayed(_ log: ActionLog<Digits.State, Digits.Action>)
      -> Store<Digits.State, Digits.Action>
    {
      Store(replaying: log) {
        Digits()
      } withDependencies: {
        $0.uuid = UUID.numbered()
      }
    }

    @Test func `A log has the actions of the user and of effects, in their order`() async throws {
      await store.send(.typed(9)).finish()
      store.send(.typed(3))
      let log = try #require(store.actionLog)
      #expect(log.initialState == Digits.State(number: 1))
      #expect(log.actions == [.typed(9), .doubled, .typed(3)])
    }

    @Test func `A replay in a new store leads to an equal state`() async throws {
      for digit in 0..<10 { await store.send(.typed(digit)).finish() }
      store.send(.nameTapped)
      store.send(.nameTapped)
      let copy = replayed(try #require(store.actionLog))
      #expect(copy.state == store.state)
      #expect(copy.ids == [UUID(number: 1), UUID(number: 2)])
    }

    @Test func `A replay runs no effects`() async throws {
      await store.send(.typed(9)).finish()
      let copy = replayed(try #require(store.actionLog))
      #expect(copy.actionLog?.actions == [.typed(9), .doubled])
      await copy.send(.typed(1)).finish()
      #expect(copy.actionLog?.actions == [.typed(9), .doubled, .typed(1)])
    }

    @Test func `A full log loses its older half, and still leads to an equal state`() throws {
      for number in 0..<2750 { store.send(.typed(number % 9)) }
      let log = try #require(store.actionLog)
      #expect(log.actions.count == 750)
      #expect(log.actions == (2000..<2750).map { .typed($0 % 9) })
      #expect(replayed(log).state == store.state)
    }

    @Test(arguments: [1, 499, 500, 501, 999, 1000, 1001, 1500, 1501])
    func `A log of any length leads to an equal state`(length: Int) throws {
      for number in 0..<length { store.send(.typed(number % 9)) }
      let log = try #require(store.actionLog)
      #expect(log.actions.count <= 1000)
      #expect(log.actions.count >= min(length, 500))
      #expect(replayed(log).state == store.state)
    }

    @Test func `A store of a part has no log`() {
      let part = store.scope(state: \.number) { (digit: Int) in .typed(digit) }
      part.send(4)
      #expect(part.actionLog == nil)
      #expect(store.actionLog?.actions == [.typed(4)])
    }
  }
#endif
