import Foundation

/// Hands work from any thread to threads that wait for it, in order.
final class WorkQueue<Element: Sendable>: @unchecked Sendable {  // `condition` guards all state.
  private let condition = NSCondition()
  private var elements: [Element] = []
  private var waiting = 0
  private var isClosed = false

  /// Adds work.
  /// - Returns: how many more threads wait than there is work for, negative where there are fewer;
  ///   `nil` where the queue is closed and the work was not taken.
  func append(_ element: Element) -> Int? {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else { return nil }
    elements.append(element)
    condition.signal()
    return waiting - elements.count
  }

  /// Waits for work and takes the oldest, or `nil` once the queue is closed and empty.
  func takeFirst() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    waitForWork()
    return elements.isEmpty ? nil : elements.removeFirst()
  }

  /// Waits for work and takes all of it, or `nil` once the queue is closed and empty.
  func takeAll() -> [Element]? {
    condition.lock()
    defer { condition.unlock() }
    waitForWork()
    return elements.isEmpty ? nil : takeElements()
  }

  /// Takes what is there, without waiting.
  func takeAvailable() -> [Element] {
    condition.lock()
    defer { condition.unlock() }
    return takeElements()
  }

  /// Lets no more work in; what is there already will still be taken.
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

  private func takeElements() -> [Element] {
    defer { elements.removeAll(keepingCapacity: true) }
    return elements
  }
}
