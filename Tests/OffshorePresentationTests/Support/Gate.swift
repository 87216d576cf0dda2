/// Holds up whoever passes while it is closed.
@MainActor
final class Gate {
  var isClosed = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    guard isClosed else { return }
    await withCheckedContinuation { continuation in
      held.append(continuation)
      for watcher in watchers { watcher.resume() }
      watchers = []
    }
  }

  /// Waits until somebody is held up.
  func untilHeld() async {
    while held.isEmpty { await withCheckedContinuation { watchers.append($0) } }
  }

  /// Lets those pass who are held up, and all who come.
  func open() {
    isClosed = false
    for continuation in held { continuation.resume() }
    held = []
  }
}
