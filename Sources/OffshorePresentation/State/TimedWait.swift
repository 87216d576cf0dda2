/// Waits until a task has ended, but at most for a duration. The task continues.
/// - Parameter sleep: suspends for a duration.
/// - Returns: whether the task has ended.
@MainActor
package func wait(
  for task: Task<some Sendable, Never>, atMost limit: Duration,
  by sleep: @escaping @Sendable (Duration) async throws -> Void
) async -> Bool {
  let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
  let waiting = Task {
    _ = await task.value
    continuation.yield(true)
  }
  let timing = Task {
    // A cancelled sleep does not count as the end of the duration.
    if (try? await sleep(limit)) != nil { continuation.yield(false) }
  }
  defer {
    waiting.cancel()
    timing.cancel()
  }
  for await hasEnded in ends { return hasEnded }
  return false
}
