/// The reads of a list, which run one after the other so that none overtakes another.
struct ReadQueue {
  /// The rows to read.
  enum Read: Hashable, Sendable {
    /// The visible rows, from the first one on.
    case top
    /// The page after the visible rows.
    case more
  }

  private var waiting: [Read: Task<Void, Never>] = [:]
  private var begun: (read: Read, task: Task<Void, Never>)?
  private var last: Task<Void, Never>?

  /// Returns the running or enqueued read of a kind, for callers that only need its result.
  func underWay(_ read: Read) -> Task<Void, Never>? {
    if let begun, begun.read == read { begun.task } else { waiting[read] }
  }

  /// Returns the enqueued read of a kind, or enqueues a new one.
  /// - Parameter run: creates the task of a new read, which first has to wait for the previous one.
  mutating func add(
    _ read: Read, _ run: (_ previous: Task<Void, Never>?) -> Task<Void, Never>
  ) -> Task<Void, Never> {
    if let task = waiting[read] { return task }
    let task = run(last)
    waiting[read] = task
    last = task
    return task
  }

  /// Marks an enqueued read as running.
  mutating func begin(_ read: Read) {
    begun = waiting.removeValue(forKey: read).map { (read, $0) }
  }

  /// Marks the running read as finished.
  mutating func end() { begun = nil }

  /// Cancels all reads.
  func cancelAll() {
    begun?.task.cancel()
    for task in waiting.values { task.cancel() }
  }
}
