import Observation

/// Waits until an observed condition holds.
@MainActor
package func until(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
  for await isMet in Observations({ condition() }) where isMet { return }
}

/// Suspends until the task is cancelled, in place of a delay that a test never lets pass.
@Sendable package func untilCancelled(_: Duration = .zero) async throws {
  let (never, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in never {}
  withExtendedLifetime(continuation) {}
  try Task.checkCancellation()
}
