/// The reads of a list, which run one after the other so that none overtakes another.
struct ReadQueue<Read: Hashable & Sendable> {
  private var waiting: [Read: Task<Void, Never>] = [:]
  private var running: (read: Read, task: Task<Void, Never>)?
  private var last: Task<Void, Never>?

  /// Returns the running or enqueued read of a kind, for callers that only need its result.
  func unfinished(_ read: Read) -> Task<Void, Never>? {
    if let running, running.read == read { running.task } else { waiting[read] }
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
    running = waiting.removeValue(forKey: read).map { (read, $0) }
  }

  /// Marks the running read as finished.
  mutating func end() { running = nil }

  /// Cancels all reads.
  func cancelAll() {
    running?.task.cancel()
    for task in waiting.values { task.cancel() }
  }
}

extension Array where Element: Identifiable {
  /// Returns the rows with a page after them. A row in both has moved to its place in the page.
  func appending(_ page: some Sequence<Element>) -> [Element] {
    let page = page.withoutRepetitions
    let moved = Set(page.map { $0.id })
    return filter { !moved.contains($0.id) } + page
  }

  /// Returns the rows with a page before them. A row in both has moved to its place in the page.
  func prepending(_ page: some Sequence<Element>) -> [Element] {
    (Array(page) + self).withoutRepetitions
  }
}

extension Sequence where Element: Identifiable {
  /// The elements without those that have the id of an earlier one.
  var withoutRepetitions: [Element] {
    var seen: Set<Element.ID> = []
    return filter { seen.insert($0.id).inserted }
  }
}
