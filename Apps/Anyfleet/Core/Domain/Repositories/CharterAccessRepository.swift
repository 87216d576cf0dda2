public import Foundation

/// Knows what the account of this device may do with charters. Every call throws ``RepositoryError``.
public protocol CharterAccessRepository: Sendable {
  /// What the account may do with charters, at once and again after each change. Those are not among them
  /// of which no server has said anything, as one that was made here and not sent yet.
  func roles() -> any AsyncSequence<[UUID: CharterRole], any Error> & Sendable

  /// Takes the copy away that stayed of a charter which the account has left.
  ///
  /// It throws `notFound` where there is no such copy.
  func removeCopy(ofCharter id: UUID) async throws

  /// How a charter that is not here came to go, or `nil` where nothing is known of it.
  func end(ofCharter id: UUID) async throws -> CharterEnd?
}
