/// Waits for a task to end, but not longer than a time. The task goes on.
/// - Returns: whether it has ended.
@MainActor
func wait(for task: Task<Void, Never>, atMost limit: Duration) async -> Bool {
  let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
  let waiting = Task {
    await task.value
    continuation.yield(true)
  }
  let timing = Task {
    try? await Task.sleep(for: limit)
    continuation.yield(false)
  }
  defer {
    waiting.cancel()
    timing.cancel()
  }
  for await hasEnded in ends { return hasEnded }
  return false
}
