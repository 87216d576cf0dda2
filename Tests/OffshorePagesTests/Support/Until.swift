import Observation

/// Waits until an observed condition holds.
@MainActor
func until(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
  for await isMet in Observations({ condition() }) where isMet { return }
}
