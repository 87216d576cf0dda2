/// The work that follows an action, such as a request or a write. Its results come back as actions.
///
/// ```swift
/// case .searchChanged(let text):
///   state.text = text
///   return .run { send in
///     await send(.found(try await search(text)))
///   } failure: { error in
///     .searchFailed(error)
///   }
///   .debounce(id: "search", for: .milliseconds(300))
/// ```
///
/// An effect never throws: a failure is an action, too. An effect is a value, and starts when a
/// store receives it from its reducer. It is cancelled when the store is released, when its id is
/// cancelled, and when the state of its feature disappears. A cancelled effect sends no more
/// actions.
public struct Effect<Action: Sendable>: Sendable {
  /// The parts of the effect, which start in this order.
  let steps: [EffectStep<Action>]

  /// No work.
  public static var none: Effect { Effect(steps: []) }

  /// Returns an effect that sends an action after the current one, before the store returns.
  public static func send(_ action: Action) -> Effect {
    Effect(steps: [EffectStep(.send(action))])
  }

  /// Returns an effect that runs a function, which sends any number of actions.
  ///
  /// The store runs the function outside of the main actor, with its own dependencies.
  public static func run(
    _ operation: @escaping @Sendable (_ send: Send<Action>) async -> Void
  ) -> Effect {
    Effect(steps: [EffectStep(.run(operation))])
  }

  /// Returns an effect that runs a function, and sends an action if the function throws.
  ///
  /// - Parameters:
  ///   - operation: sends any number of actions.
  ///   - failure: creates the action from the error.
  public static func run(
    _ operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    failure: @escaping @Sendable (AppError) -> Action
  ) -> Effect {
    run { send in
      do {
        try await operation(send)
      } catch {
        await send(failure(error.asAppError))
      }
    }
  }

  /// Returns an effect that runs several effects concurrently, and starts them in their order.
  public static func merge(_ effects: Effect...) -> Effect {
    Effect(steps: effects.flatMap(\.steps))
  }

  /// Returns an effect that cancels the running effects with an id.
  ///
  /// - Parameter id: an id from ``cancellable(id:cancelInFlight:)`` or ``debounce(id:for:)`` of the
  ///   same feature. Another part of a ``Scope``, or another row, has ids of its own.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(steps: [EffectStep(.cancel(EffectID(id)))])
  }

  /// Returns the effect with an id by which it can be cancelled.
  ///
  /// - Parameters:
  ///   - id: any value that is unique in the feature. Several effects can have the same id.
  ///   - cancelInFlight: whether the running effects with the id are cancelled first.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    let id = EffectID(id)
    let cancellation = cancelInFlight ? [EffectStep<Action>(.cancel(id))] : []
    return Effect(steps: cancellation + steps.map { $0.with(id) })
  }

  /// Returns the effect in a queue: its functions start when those that were added to the queue before
  /// have ended, such as a save after an earlier save.
  ///
  /// A cancelled effect leaves the queue when its function returns.
  ///
  /// - Parameter id: any value that is unique in the feature. It is not an id by which effects can be
  ///   cancelled.
  public func queued(id: some Hashable & Sendable) -> Effect {
    Effect(steps: steps.map { $0.queued(EffectID(id)) })
  }

  /// Returns an effect that waits, and is replaced if another one with the same id starts meanwhile.
  ///
  /// Cancellations in the effect do not wait.
  ///
  /// - Parameters:
  ///   - id: any value that is unique in the feature; ``cancel(id:)`` accepts it.
  ///   - duration: the time on the clock of the store's dependencies.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Effect {
    Effect(steps: steps.map { $0.delayed(by: duration) })
      .cancellable(id: id, cancelInFlight: true)
  }

  /// Returns the effect of a part as an effect of the whole.
  func embedded<Whole, Part, WholeAction: Sendable>(
    in place: EffectPlace<Whole, Part>, by embed: @escaping @Sendable (Action) -> WholeAction
  ) -> Effect<WholeAction> {
    Effect<WholeAction>(steps: steps.map { $0.embedded(in: place, by: embed) })
  }
}

/// A function that sends the actions of an effect to the store.
public struct Send<Action: Sendable>: Sendable {
  let deliver: @MainActor @Sendable (Action) -> Void

  /// Sends an action. If the effect is cancelled or the store is released, nothing happens.
  @MainActor public func callAsFunction(_ action: Action) { deliver(action) }
}
