import Dispatch
import Synchronization

/// Runs the effects of test stores on the main queue, and knows when all of them wait.
///
/// A function that is not isolated and an actor run here if an effect calls them. So the order of
/// all effects is that of the queue, and none of them is between two queues.
final class TestExecutor: TaskExecutor {
  /// The executor of all test stores. Tests of the main actor share its queue anyway.
  static let shared = TestExecutor()

  private struct Counts {
    var enqueued = 0
    var pending = 0
  }

  private let counts = Mutex(Counts())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    counts.withLock {
      $0.enqueued += 1
      $0.pending += 1
    }
    DispatchQueue.main.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      counts.withLock { $0.pending -= 1 }
    }
  }

  /// Returns when every effect has ended or waits for something outside of the main queue, such as
  /// a clock or a file.
  @MainActor func settle() async {
    // An effect may be on the main actor, which does not count: it is back after a turn or two.
    var (quietTurns, last) = (0, -1)
    // NB: The limit is for an effect that never waits.
    for _ in 0..<10_000 where quietTurns < 3 {
      // The queue runs everything before this function.
      await Task.yield()
      let counts = counts.withLock(\.self)
      quietTurns = counts.pending == 0 && counts.enqueued == last ? quietTurns + 1 : 0
      last = counts.enqueued
    }
  }
}
