/// The reads of a list, which come one after the other so that none overtakes another.
struct ReadQueue {
  /// What is read.
  enum Read: Hashable, Sendable {
    /// What is shown, from the first row on.
    case top
    /// The page after what is shown.
    case more
  }

  private var waiting: [Read: Task<Void, Never>] = [:]
  private var begun: (read: Read, task: Task<Void, Never>)?
  private var last: Task<Void, Never>?

  /// A read of a kind that has begun or waits to, for those to join who want its result alone.
  func underWay(_ read: Read) -> Task<Void, Never>? {
    if let begun, begun.read == read { begun.task } else { waiting[read] }
  }

  /// A read of a kind that has not begun yet, or a new one after all others.
  /// - Parameter run: makes the task of a new one, which has to wait for another first.
  mutating func add(
    _ read: Read, _ run: (_ previous: Task<Void, Never>?) -> Task<Void, Never>
  ) -> Task<Void, Never> {
    if let task = waiting[read] { return task }
    let task = run(last)
    waiting[read] = task
    last = task
    return task
  }

  /// Notes that a read begins.
  mutating func begin(_ read: Read) {
    begun = waiting.removeValue(forKey: read).map { (read, $0) }
  }

  /// Notes that the read that had begun is over.
  mutating func end() { begun = nil }

  /// Cancels every read.
  func cancelAll() {
    begun?.task.cancel()
    for task in waiting.values { task.cancel() }
  }
}
