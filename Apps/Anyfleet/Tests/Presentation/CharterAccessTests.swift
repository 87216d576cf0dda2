import Foundation
import OffshorePresentation
import Testing

@testable import Anyfleet

/// What the account may do with charters, as all screens share it.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterAccessTests {
  /// Knows roles, or fails to read them.
  private final class Roles: CharterAccessRepository {
    private let known: [UUID: CharterRole]?

    init(_ known: [UUID: CharterRole]?) { self.known = known }

    func roles() -> any AsyncSequence<[UUID: CharterRole], any Error> & Sendable {
      AsyncThrowingStream { [known] continuation in
        if let known {
          continuation.yield(known)
        } else {
          continuation.finish(throwing: RepositoryError.databaseUnavailable)
        }
      }
    }

    func removeCopy(ofCharter id: UUID) async throws { throw RepositoryError.notFound }
    func end(ofCharter id: UUID) async throws -> CharterEnd? { nil }
  }

  @Test func `Of a charter of which no server has said anything all may be changed`() async {
    let (own, others) = (UUID(), UUID())
    let roles = CharterRoles(Roles([others: .viewer]))
    let access = CharterAccess(roles, charterID: own)
    await access.load()
    #expect(access.role == nil && access.canEdit && access.error == nil)
    #expect(!CharterAccess(roles, charterID: others).canEdit, "one reading is for all")
  }

  @Test func `Where it cannot be read nothing is offered to be changed, and that is said`() async {
    let access = CharterAccess(CharterRoles(Roles(nil)), charterID: UUID())
    #expect(access.canEdit, "before it was read nothing is taken away")
    await access.load()
    #expect(access.role == nil && !access.canEdit && access.error == .database(.readFailed))
  }
}
