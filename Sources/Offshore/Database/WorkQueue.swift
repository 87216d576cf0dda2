import Dispatch
import Foundation

/// A queue that passes work from any thread to waiting threads, in order.
final class WorkQueue<Element: Sendable>: @unchecked Sendable {  // `condition` guards all state.
  private let condition = NSCondition()
  private var elements: [Element] = []
  private var waiting = 0
  private var isClosed = false

  /// Enqueues work.
  /// - Returns: The number of waiting threads minus the number of queued elements; `nil` if the
  ///   queue is closed and has refused the work.
  func append(_ element: Element) -> Int? {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { return nil }
    elements.append(element)
    condition.signal()
    return waiting - elements.count
  }

  /// Waits for work and removes the oldest element.
  /// - Returns: The element, or `nil` once the queue is closed and empty.
  func dequeue() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    waitForWork()
    return elements.isEmpty ? nil : elements.removeFirst()
  }

  /// Waits for work and removes all elements.
  /// - Returns: The elements, or `nil` once the queue is closed and empty.
  func dequeueAll() -> [Element]? {
    condition.lock()
    defer { condition.unlock() }
    waitForWork()
    return elements.isEmpty ? nil : removeElements()
  }

  /// Removes all queued elements without waiting.
  func dequeueAvailable() -> [Element] {
    condition.lock()
    defer { condition.unlock() }
    return removeElements()
  }

  /// Refuses further work. The queued elements can still be removed.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
  }

  private func waitForWork() {
    waiting += 1
    while elements.isEmpty, !isClosed { condition.wait() }
    waiting -= 1
  }

  private func removeElements() -> [Element] {
    defer { elements.removeAll(keepingCapacity: true) }
    return elements
  }
}

/// The threads of databases. Each belongs to the group of its database.
enum DatabaseThread {
  private static let key = "offshore.threads"

  /// Starts a thread that belongs to the group of its database until its work is done.
  static func start(
    _ name: String, in group: DispatchGroup, _ body: @escaping @Sendable () -> Void
  ) {
    group.enter()
    let thread = Thread {
      Thread.current.threadDictionary[key] = group
      // The system's tools show a name only if the thread itself sets it.
      Thread.current.name = name
      body()
      group.leave()
    }
    thread.start()
  }

  /// Returns whether the calling thread belongs to a group.
  static func isCurrent(in group: DispatchGroup) -> Bool {
    Thread.current.threadDictionary[key] as? DispatchGroup === group
  }
}
