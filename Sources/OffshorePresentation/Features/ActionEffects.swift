/// The effects that followed an action: those of its reducer, and those of the actions that they
/// sent.
///
/// The store is not released as long as this value is referenced.
public struct ActionEffects: Sendable {
  private let group: EffectGroup
  private let cancelGroup: @MainActor @Sendable () -> Void

  /// Creates the effects of a group.
  ///
  /// - Parameter cancel: cancels them. It retains the store.
  package init(_ group: EffectGroup, cancel: @escaping @MainActor @Sendable () -> Void) {
    self.group = group
    cancelGroup = cancel
  }

  /// Waits until all effects have ended. If the waiting task is cancelled, so are the effects.
  @MainActor public func finish() async {
    await withTaskCancellationHandler {
      await group.finish()
    } onCancel: {
      Task { await cancelGroup() }
    }
  }

  /// Cancels the effects, and waits until they have ended.
  @MainActor public func cancel() async {
    cancelGroup()
    await group.finish()
  }
}

/// The number of running effects that followed an action.
@MainActor
package final class EffectGroup {
  private var count = 0
  private var callers: [CheckedContinuation<Void, Never>] = []

  /// Creates a group without effects.
  package init() {}

  /// Adds an effect.
  func enter() { count += 1 }

  /// Removes an effect that has ended.
  func leave() {
    count -= 1
    guard count == 0 else { return }
    for caller in callers { caller.resume() }
    callers = []
  }

  /// Waits until all effects have ended.
  func finish() async {
    guard count > 0 else { return }
    await withCheckedContinuation { callers.append($0) }
  }
}
