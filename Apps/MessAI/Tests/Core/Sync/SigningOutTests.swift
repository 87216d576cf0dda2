import Foundation
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// Signing out, with and without erasing, and another account afterwards.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SigningOutTests {
  @Test func `Erasing removes everything from the device, and another account signs in`()
    async throws
  {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    try await ben.send("Ahoy", id: "m1")
    try await ann.waitForTexts(["Ahoy"])
    try await ben.service.setAirplane(true)
    try await ben.send("Never sent", id: "m2")
    let chat = ben.app.makeChat("c1", at: .end)
    try await chat.load()
    try await chat.draft.keep("Half a sen")
    try await ben.manager.signOut(erasing: true)
    #expect(ben.manager.pendingMessageCount == 0 && ben.manager.lastSyncError == nil)
    #expect(!AuthViewModel(ben.service).isAuthenticated)
    #expect(try await ben.texts() == [])
    #expect(try await ben.data.fetchConversations() == [])
    #expect(try await ben.store.setting("draft.chat.c1") == nil)
    // Others keep all, and nothing was deleted at the server.
    #expect(try await ann.texts() == ["Ahoy"])
    #expect(try await shared.serverHas("m1"))
    #expect(try await !shared.serverHas("m2"))
    try await ben.service.signUp(name: "cleo", password: ChatDevice.password)
    #expect(AuthViewModel(ben.service).userId == ben.id)
    #expect(try await ben.texts() == [])
    try await ben.makeConversation("c2")
    try await ann.admit(ben, to: "c1")
    try await ben.waitForTexts(["Ahoy"])
    try await ben.send("I am Cleo", id: "m3")
    try await ann.waitForTexts(["Ahoy", "I am Cleo"])
    #expect(try await ann.row("m3")?.senderId == ben.id)
    await waitUntil { ben.manager.pendingMessageCount == 0 }
    await shared.end()
  }

  @Test func `Without erasing, the messages stay, and those that wait are sent after signing in`()
    async throws
  {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.manager.signOut(erasing: false)
    #expect(!AuthViewModel(ben.service).isAuthenticated)
    try await ben.send("Ahoy", id: "m1")
    #expect(ben.manager.pendingMessageCount == 1)
    await ben.manager.syncPendingMessages()
    #expect(ben.manager.lastSyncError == nil && ben.manager.pendingMessageCount == 1)
    try await ben.service.signIn(name: "ben", password: ChatDevice.password)
    try await shared.ann.waitForTexts(["Ahoy"])
    await waitUntil { ben.manager.pendingMessageCount == 0 }
    await shared.end()
  }

  @Test(arguments: [false, true])
  func `Without a server, the data is erased only on request`(isErasing: Bool) async throws {
    let device = try await ChatDevice()
    let manager = SyncManager(
      localDataManager: device.data, networkMonitor: device.manager.networkMonitor)
    try await manager.queueMessageForSync(device.message("Ahoy", id: "m1"))
    try await manager.signOut(erasing: isErasing)
    #expect(try await device.texts() == (isErasing ? [] : ["Ahoy"]))
    #expect(manager.pendingMessageCount == (isErasing ? 0 : 1))
    await device.end()
  }
}
