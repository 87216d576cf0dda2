import Foundation
import OffshorePresentation
import Synchronization
import Testing

/// Storage that keeps an id in memory.
private final class MemoryStorage: SessionStorage {
  private let kept = Mutex<UUID?>(nil)

  func userID(firstly candidate: UUID) async throws -> UUID {
    kept.withLock { kept in
      let id = kept ?? candidate
      kept = id
      return id
    }
  }

  func credentials() async throws -> Session.Credentials? { nil }
  func link(_ credentials: Session.Credentials) async throws {}
  func keepToken(_ token: String?) async throws {}
}

private struct NoStorage: SessionStorage {
  struct Full: Error {}
  func userID(firstly candidate: UUID) async throws -> UUID { throw Full() }
  func credentials() async throws -> Session.Credentials? { throw Full() }
  func link(_ credentials: Session.Credentials) async throws { throw Full() }
  func keepToken(_ token: String?) async throws { throw Full() }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SessionTests {
  @Test func `The first start makes an id, and later ones keep it`() async throws {
    let storage = MemoryStorage()
    let id = UUID()
    let first = try await Session.start(keptBy: storage) { id }
    #expect(first.userID == id)
    let second = try await Session.start(keptBy: storage)
    #expect(second.userID == id)
  }

  @Test func `Where the id cannot be kept, there is no session`() async {
    await #expect(throws: NoStorage.Full.self) {
      _ = try await Session.start(keptBy: NoStorage())
    }
  }
}
