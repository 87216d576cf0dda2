import Observation

/// Waits until what is observed meets a condition.
@MainActor
func until(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
  for await isMet in Observations({ condition() }) where isMet { return }
}
