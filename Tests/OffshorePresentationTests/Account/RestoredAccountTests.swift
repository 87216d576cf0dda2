import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// Accounts that were created after the copy from which a server was restored.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct RestoredAccountTests {
  private let password = "correct horse"

  @Test func `An account that the copy lacks is created again, and its rows reach the server`()
    async throws
  {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    let note = Note(id: UUID(), ownerID: sync.session.userID, title: "Fuel")
    try await sync.store.write { try note.insert($0) }
    try await sync.store.waitUntilSent()
    await server.stop()

    // The copy was made before the first account.
    let restored = try LoopbackServer(
      Journey.schema.manifest, continuing: server, restoring: SQLiteStorage.temporary(epoch: 8))
    await sync.syncNow()
    await waitUntil { sync.connection == .expired }
    let model = AccountModel(sync)
    #expect(await !model.signIn(name: "skipper", password: password))
    #expect(await !model.signUp(name: "mate", password: password))
    #expect(model.failure == .auth(.otherAccount("skipper")))
    #expect(await model.signUp(name: "skipper", password: password))
    #expect(sync.session.userID == note.ownerID)

    let other = try await restored.device(of: "skipper")
    #expect(other.session.userID == note.ownerID)
    try await other.store.wait(for: "SELECT title FROM notes", toBe: ["Fuel"])
    await restored.end(sync, other)
  }

  @Test func `An account that the server has is not created again`() async throws {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    try await sync.signOut()
    let model = AccountModel(sync)
    #expect(await !model.signUp(name: "skipper", password: password))
    #expect(model.failure == .auth(.nameTaken) && !model.isSignedIn)
    #expect(await model.signIn(name: "skipper", password: password))
    await server.end(sync)
  }
}
