/// The running effects of a store. They are cancelled when this object is released.
@MainActor
package final class EffectRunner<Action: Sendable> {
  private struct Run: Sendable {
    let task: Task<Void, Never>
    let ids: [EffectID]
    let isCurrent: EffectCheck?
    let group: EffectGroup
    /// The action that started the effect.
    let origin: Action
  }

  private var runs: [Int: Run] = [:] {
    didSet { onChange() }
  }
  /// The last effect of each queue.
  private var queues: [EffectID: (number: Int, task: Task<Void, Never>)] = [:]
  private var lastNumber = 0
  private let executor: (any TaskExecutor)?
  private let receive: @MainActor (Action, EffectGroup) -> Void
  private let onChange: @MainActor () -> Void

  /// Creates an object without running effects.
  ///
  /// - Parameters:
  ///   - executor: runs the functions of effects; by default the concurrent pool does.
  ///   - receive: called with each action of an effect, and the group of the effect.
  ///   - onChange: called when an effect has started or ended.
  package init(
    on executor: (any TaskExecutor)? = nil,
    receive: @escaping @MainActor (Action, EffectGroup) -> Void,
    onChange: @escaping @MainActor () -> Void = {}
  ) {
    self.executor = executor
    self.receive = receive
    self.onChange = onChange
  }

  deinit { for run in runs.values { run.task.cancel() } }

  /// The actions that started the running effects, in the order of the starts.
  package var origins: [Action] { runs.sorted { $0.key < $1.key }.map(\.value.origin) }

  /// Starts the effect of an action. The current dependencies hold in it.
  ///
  /// - Returns: the actions that the effect sends at once.
  package func start(
    _ effect: Effect<Action>, of origin: Action, in group: EffectGroup
  ) -> [Action] {
    var actions: [Action] = []
    for step in effect.steps {
      switch step.work {
      case .send(let action): actions.append(action)
      case .run(let operation): run(operation, step, of: origin, in: group)
      case .cancel(let id): cancel { $0.ids.contains(id) }
      }
    }
    return actions
  }

  /// Cancels the effects of features that a state does not have any more.
  package func cancelEffects(without state: some Sendable) {
    cancel { $0.isCurrent?(state) == false }
  }

  /// Cancels the effects of a group.
  package func cancelEffects(in group: EffectGroup) { cancel { $0.group === group } }

  /// Cancels all effects.
  package func cancelAll() { cancel { _ in true } }

  private func cancel(_ isIncluded: (Run) -> Bool) {
    for (number, run) in runs where isIncluded(run) {
      runs[number] = nil
      run.task.cancel()
    }
  }

  private func run(
    _ operation: @escaping EffectStep<Action>.Operation, _ step: EffectStep<Action>,
    of origin: Action, in group: EffectGroup
  ) {
    lastNumber += 1
    let number = lastNumber
    // The delay starts now, and not when the task does.
    let wait = step.delay.map { DependencyValues.current.clock.wait(for: $0) }
    let send = Send<Action> { [weak self] in self?.receive($0, from: number) }
    let end: @MainActor @Sendable () -> Void = { [weak self] in
      self?.runs[number] = nil
      self?.leave(step.queue, number)
      group.leave()
    }
    group.enter()
    let former = step.queue.flatMap { queues[$0]?.task }
    let task = Task(executorPreference: executor) { @concurrent in
      await wait?()
      await former?.value
      if !Task.isCancelled { await operation(send) }
      await end()
    }
    runs[number] = Run(
      task: task, ids: step.ids, isCurrent: step.isCurrent, group: group, origin: origin)
    if let queue = step.queue { queues[queue] = (number, task) }
  }

  /// Removes a queue whose last effect has ended.
  private func leave(_ queue: EffectID?, _ number: Int) {
    guard let queue, queues[queue]?.number == number else { return }
    queues[queue] = nil
  }

  private func receive(_ action: Action, from number: Int) {
    guard let run = runs[number] else { return }
    receive(action, run.group)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Returns a function that waits until a time from now, or until its task is cancelled.
  fileprivate func wait(for duration: Duration) -> @Sendable () async -> Void {
    let deadline = now.advanced(by: duration)
    return { try? await sleep(until: deadline, tolerance: nil) }
  }
}
