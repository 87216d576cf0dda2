import Foundation
import OffshorePresentation
import OffshorePresentationTesting
import TestSupport
import Testing

/// A feature with an effect of each kind.
private struct Switchboard: Reducer {
  struct State: Equatable, Sendable {
    var count = 0
    var names: [String] = []
  }

  enum Action: Equatable, Sendable {
    case increment
    case answer(Int)
    case ask
    case askTwice
    case wait
    case name
    case save
  }

  let gate: Gate

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment: state.count += 1
    case .answer(let answer): state.count = answer
    case .ask: return .run { await $0(.answer(7)) }
    case .askTwice: return .merge(.send(.answer(1)), .send(.answer(2)))
    case .wait: return .run { _ in await gate.pass() }
    case .name: state.names.append("\(DependencyValues.current.uuid())")
    case .save: return .run { _ in try? await DependencyValues.current.places.save([]) }
    }
    return .none
  }
}

/// Each way in which a test can fail, with the text of its issue.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct TestStoreFailureTests {
  private let gate = Gate()

  private func store(
    timeout: Duration = .milliseconds(20)
  ) -> TestStore<Switchboard.State, Switchboard.Action> {
    TestStore(initialState: Switchboard.State(), timeout: timeout) { Switchboard(gate: gate) }
  }

  // MARK: - State

  @Test func `A change of the state that a test does not assert fails`() async {
    let store = store()
    let texts = await issues { await store.send(.increment) }
    #expect(
      texts == [
        """
        The state after `.increment` differs from the asserted one:
          count: expected 0, found 1
        """
      ])
  }

  @Test func `A change of the state that a test asserts wrongly fails`() async {
    let store = store()
    let texts = await issues {
      await store.send(.answer(3)) {
        $0.count = 2
        $0.names = ["a"]
      }
    }
    #expect(
      texts == [
        """
        The state after `.answer(3)` differs from the asserted one:
          count: expected 2, found 3
          names[0]: expected "a", found nothing
        """
      ])
  }

  @Test func `A change that does not come fails`() async {
    let store = store()
    let texts = await issues { await store.send(.answer(0)) { $0.count = 1 } }
    #expect(texts.map { $0.contains("count: expected 1, found 0") } == [true])
  }

  @Test func `A change by an action of an effect that a test does not assert fails`() async {
    let store = store()
    await store.send(.ask)
    let texts = await issues { await store.receive(.answer(7)) }
    #expect(texts.map { $0.contains("count: expected 0, found 7") } == [true])
  }

  @Test func `After a failure, the test goes on with the actual state`() async {
    let store = store()
    _ = await issues { await store.send(.increment) }
    #expect(store.state.count == 1)
    await store.send(.increment) { $0.count = 2 }
  }

  // MARK: - Actions

  @Test func `An action that a test does not receive before its next one fails`() async {
    let store = store()
    await store.send(.askTwice)
    let texts = await issues { await store.send(.increment) { $0.count = 3 } }
    #expect(
      texts == [
        """
        These actions of effects were not asserted by `receive` before the next action of the user:
          .answer(1)
          .answer(2)
        """
      ])
    await store.finish()
  }

  @Test func `Actions that follow from an action that was not received can be received`() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        return action < 3 ? .send(action + 1) : .none
      }
    }
    await store.send(1) { $0 = 1 }
    let texts = await issues { await store.send(9) { $0 = 9 } }
    #expect(texts.map { $0.hasSuffix(":\n  2") } == [true])
    await store.receive(3) { $0 = 3 }
    await store.finish()
  }

  @Test func `An action that a test does not receive before it finishes fails`() async {
    let store = store()
    await store.send(.ask)
    let texts = await issues { await store.finish() }
    #expect(
      texts == [
        """
        These actions of effects were not asserted by `receive` before the end of the test:
          .answer(7)
        """
      ])
  }

  @Test func `An action that a test never receives fails at its end`() async {
    let texts = await issues {
      let store = store()
      await store.send(.ask)
    }
    #expect(texts.map { $0.contains("before the end of the test:\n  .answer(7)") } == [true])
  }

  @Test func `Another action than the expected one fails, and is handled`() async {
    let store = store()
    await store.send(.ask)
    let texts = await issues { await store.receive(.answer(8)) { $0.count = 8 } }
    #expect(
      texts == [
        """
        The received action differs from the asserted one:
          .answer: expected 8, found 7
        """
      ])
    #expect(store.state.count == 7)
  }

  @Test func `Actions of effects have to be received in their order`() async {
    let store = store()
    await store.send(.askTwice)
    let texts = await issues {
      await store.receive(.answer(2)) { $0.count = 2 }
      await store.receive(.answer(1)) { $0.count = 1 }
    }
    #expect(texts.count == 2)
  }

  @Test func `An action that cannot come any more fails at once`() async {
    let store = store(timeout: .seconds(600))
    let texts = await issues { await store.receive(.answer(7)) }
    #expect(texts == ["`.answer(7)` was not received: no effect is running."])
  }

  @Test func `An action that does not come in time fails`() async {
    let store = store()
    await store.send(.wait)
    let texts = await issues { await store.receive(.answer(7)) }
    #expect(
      texts == ["`.answer(7)` was not received: no effect sent an action in 0.02 seconds."])
    gate.open()
    await store.finish()
  }

  // MARK: - Effects

  @Test func `An effect that does not end in time fails, and is cancelled`() async {
    let store = store()
    await store.send(.wait)
    let texts = await issues { await store.finish() }
    #expect(
      texts == [
        """
        An effect of each of these actions is still running after 0.02 seconds:
          .wait
        """
      ])
    gate.open()
    await store.finish()
  }

  @Test func `An effect that runs at the end of the test fails`() async {
    let texts = await issues {
      let store = store()
      await store.send(.wait)
    }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("An effect of each of these actions is still running") == true)
    #expect(texts.first?.hasSuffix("\n  .wait") == true)
    gate.open()
  }

  @Test func `Nothing is reported twice`() async {
    let texts = await issues {
      let store = store()
      await store.send(.wait)
      await store.send(.ask)
      await store.finish()
      await store.finish()
    }
    #expect(texts.count == 2)
    gate.open()
  }

  // MARK: - Dependencies

  @Test func `A dependency without a value fails by its name, in a reducer`() async {
    let store = store()
    let texts = await issues {
      await store.send(.name) { $0.names = store.state.names }
    }
    #expect(texts.first?.hasPrefix("The dependency “uuid” was used without a value.") == true)
  }

  @Test func `A closure of a client without a value fails by both names, in an effect`() async {
    let store = store()
    let texts = await issues {
      await store.send(.save)
      await store.finish()
    }
    #expect(
      texts == [
        "The dependency “places.save” was used without a value. Set it in `withDependencies`."
      ])
  }

  // MARK: - Places

  @Test func `An issue has the line of the call`() async throws {
    let store = store()
    let line = #line + 1
    let issue = await recordedIssues { await store.send(.increment) }.first
    #expect(try #require(issue).sourceLocation?.line == line)
  }

  @Test func `An issue at the end has the line of the last call`() async throws {
    var line = 0
    let issue = await recordedIssues {
      let store = store()
      await store.send(.wait)
      line = #line - 1
    }.first
    #expect(try #require(issue).sourceLocation?.line == line)
    gate.open()
  }

  @Test func `An unset dependency has the line of the call that led to it`() async throws {
    let store = store()
    let line = #line + 1
    let issue = await recordedIssues { await store.send(.save) }.first
    #expect(try #require(issue).sourceLocation?.line == line)
  }
}
