/// Waits for a task to end, but not longer than a time. The task goes on.
/// - Parameter sleep: waits for a time.
/// - Returns: whether it has ended.
@MainActor
func wait(
  for task: Task<some Sendable, Never>, atMost limit: Duration,
  by sleep: @escaping @Sendable (Duration) async throws -> Void
) async -> Bool {
  let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
  let waiting = Task {
    _ = await task.value
    continuation.yield(true)
  }
  let timing = Task {
    // Who is cancelled has not waited for the time.
    if (try? await sleep(limit)) != nil { continuation.yield(false) }
  }
  defer {
    waiting.cancel()
    timing.cancel()
  }
  for await hasEnded in ends { return hasEnded }
  return false
}
