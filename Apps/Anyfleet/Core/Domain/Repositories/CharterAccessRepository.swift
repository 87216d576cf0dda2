public import Foundation

/// Knows what the account of this device may do with charters. Every call throws ``RepositoryError``.
public protocol CharterAccessRepository: Sendable {
  /// What the account may do with a charter, at once and again after each change; `nil` where no server
  /// has said anything, as of a charter that was made here and not sent yet.
  func role(inCharter id: UUID) -> any AsyncSequence<CharterRole?, any Error> & Sendable

  /// How a charter that is not here came to go, or `nil` where nothing is known of it.
  func end(ofCharter id: UUID) async throws -> CharterEnd?
}
