/// One action, function or cancellation of an effect.
struct EffectStep<Action: Sendable>: Sendable {
  typealias Operation = @Sendable (Send<Action>) async -> Void

  enum Work: Sendable {
    case send(Action)
    case run(Operation)
    case cancel(EffectID)
  }

  var work: Work
  /// The ids by which the work can be cancelled.
  var ids: [EffectID] = []
  /// The queue in which the work waits for earlier work.
  var queue: EffectID?
  /// The time before the work starts, or `nil` if it starts at once.
  var delay: Duration?
  /// Returns whether a state still has the part that started the work; `nil` if it always has.
  var isCurrent: EffectCheck?

  init(_ work: Work) { self.work = work }

  /// Returns the step with a further id.
  func with(_ id: EffectID) -> EffectStep {
    var step = self
    step.ids.append(id)
    return step
  }

  /// Returns the step in a queue.
  func queued(_ id: EffectID) -> EffectStep {
    var step = self
    step.queue = id
    return step
  }

  /// Returns the step with a further delay.
  func delayed(by duration: Duration) -> EffectStep {
    var step = self
    switch work {
    case .cancel: return self
    case .send(let action): step.work = .run { await $0(action) }
    case .run: break
    }
    step.delay = (delay ?? .zero) + duration
    return step
  }

  /// Returns the step of a part as a step of the whole.
  func embedded<Whole, Part, WholeAction: Sendable>(
    in place: EffectPlace<Whole, Part>, by embed: @escaping @Sendable (Action) -> WholeAction
  ) -> EffectStep<WholeAction> {
    var step = EffectStep<WholeAction>(work(in: place, by: embed))
    step.ids = ids.map { $0.within(place.keys) }
    step.queue = queue?.within(place.keys)
    step.delay = delay
    step.isCurrent = place.check(isCurrent)
    return step
  }

  private func work<Whole, Part, WholeAction: Sendable>(
    in place: EffectPlace<Whole, Part>, by embed: @escaping @Sendable (Action) -> WholeAction
  ) -> EffectStep<WholeAction>.Work {
    switch work {
    case .send(let action): .send(embed(action))
    case .cancel(let id): .cancel(id.within(place.keys))
    case .run(let operation):
      .run { send in await operation(Send { send(embed($0)) }) }
    }
  }
}
