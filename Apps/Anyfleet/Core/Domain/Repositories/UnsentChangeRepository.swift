/// Tells what this device has changed and not got through to the server.
public protocol UnsentChangeRepository: Sendable {
  /// What waits, at once and again after each change.
  func unsentChanges() -> any AsyncSequence<UnsentChanges, any Error> & Sendable

  /// What was set aside, at once and again after each change.
  func refusedChanges() -> any AsyncSequence<[RefusedChange], any Error> & Sendable

  /// Undoes a change, with what came or went with it.
  /// - Returns: whether it was undone: not where it is on its way by now, or others build on it.
  /// - Throws: ``RepositoryError``.
  func cancelUnsentChange(_ id: UnsentChange.ID) async throws -> Bool

  /// Makes a change that was set aside once more.
  /// - Returns: whether it could be made; then it waits like any other.
  /// - Throws: ``RepositoryError``.
  func retryRefusedChange(_ id: RefusedChange.ID) async throws -> Bool

  /// Forgets a change that was set aside.
  /// - Throws: ``RepositoryError``.
  func discardRefusedChange(_ id: RefusedChange.ID) async throws
}
