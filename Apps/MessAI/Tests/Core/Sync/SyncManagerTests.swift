import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// The queue of messages of devices that sync with a real server.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SyncManagerTests {
  @Test func `In airplane mode a message is stored and counted, and sent after it`() async throws {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    try await ben.service.setAirplane(true)
    try await ben.send("Ahoy", id: "m1")
    #expect(manager.pendingMessageCount == 1 && !manager.isSyncing)
    try await ben.send("Land", id: "m2")
    #expect(manager.pendingMessageCount == 2)
    await manager.syncPendingMessages()
    #expect(manager.lastSyncError == nil && manager.pendingMessageCount == 2)
    #expect(shared.wire.messageIDs.isEmpty)
    let waiting = try await ben.data.fetchUnsyncedMessages()
    #expect(
      waiting.map(\.text) == ["Ahoy", "Land"] && waiting.allSatisfy { $0.status == .sending })
    try await ben.service.setAirplane(false)
    try await shared.ann.waitForTexts(["Ahoy", "Land"])
    await waitUntil { manager.pendingMessageCount == 0 }
    #expect(try await ben.row("m1")?.isSynced == true)
    #expect(try await ben.row("m1")?.needsSync == false)
    await shared.end()
  }

  @Test func `Online, a message is sent at once`() async throws {
    let shared = try await SharedConversation()
    try await shared.ben.send("Ahoy", id: "m1")
    try await shared.ann.waitForTexts(["Ahoy"])
    try await shared.ben.wait(for: "m1") { $0.status.rank >= MessageStatus.sent.rank }
    await shared.end()
  }

  @Test func `Without a server everything waits`() async throws {
    let device = try await ChatDevice()
    let manager = SyncManager(
      localDataManager: device.data, networkMonitor: device.manager.networkMonitor)
    try await manager.queueMessageForSync(device.message("Ahoy", id: "m1"))
    await manager.syncPendingMessages()
    await manager.retryFailedMessages()
    #expect(manager.pendingMessageCount == 1 && manager.lastSyncError == nil && !manager.isSyncing)
    #expect(try await device.row("m1")?.status == .sending)
    #expect(try await device.data.fetchConversations().map(\.id) == ["c1"], "a provisional one")
    await device.end()
  }

  @Test func `A message that cannot be saved is not queued`() async throws {
    let device = try await ChatDevice()
    let long = String(repeating: "a", count: Message.textLimit + 1)
    for (text, problem) in [("", Message.Problem.empty), (long, .tooLong)] {
      let message = device.message(text, id: "m1")
      let error = await persistenceError { try await device.manager.queueMessageForSync(message) }
      #expect(error == .saveFailed(problem) && error?.cause as? Message.Problem == problem)
    }
    #expect(try await device.data.fetchUnsyncedMessages().isEmpty)
    #expect(try await device.data.fetchConversations().isEmpty)
    #expect(device.manager.pendingMessageCount == 0)
    await device.end()
  }

  @Test func `While messages are being sent, a second call does nothing`() async throws {
    let shared = try await SharedConversation()
    let manager = shared.ben.manager
    shared.server.gate.close()
    try await shared.ben.send("Ahoy", id: "m1")
    let first = Task { await manager.syncPendingMessages() }
    await waitUntil { manager.isSyncing }
    await manager.syncPendingMessages()
    #expect(manager.isSyncing && manager.pendingMessageCount == 1)
    shared.server.gate.open()
    await first.value
    #expect(!manager.isSyncing && manager.lastSyncError == nil)
    try await shared.ann.waitForTexts(["Ahoy"])
    await shared.end()
  }

  @Test func `Without a connection nothing is requested, and its return starts a sync`()
    async throws
  {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    // Without a driver, nothing but the manager asks for a sync.
    await ben.service.stop()
    ben.connection.set(.none)
    await waitUntil { !manager.networkMonitor.isConnected }
    try await ben.send("Ahoy", id: "m1")
    await manager.syncPendingMessages()
    #expect(!manager.isSyncing && manager.lastSyncError == nil && manager.pendingMessageCount == 1)
    await ben.service.start()
    try await shared.ann.waitForTexts(["Ahoy"])
    shared.server.isFailing = true
    #expect(manager.lastSyncError == nil)
    ben.connection.set(.wifi)
    await waitUntil { manager.lastSyncError != nil }
    await shared.end()
  }

  @Test(arguments: [401, 429, 500, 503])
  func `An answer other than a refusal counts as no attempt, and the message stays`(status: Int)
    async throws
  {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    shared.server.failure = Response.Status(rawValue: status)
    try await ben.send("Ahoy", id: "m1")
    for _ in 0..<6 { await manager.syncPendingMessages() }
    #expect(manager.lastSyncError != nil && manager.pendingMessageCount == 1)
    let row = try #require(try await ben.row("m1"))
    #expect(row.syncAttempts == 0 && row.status == .sending && row.needsSync && !row.isSynced)
    #expect(row.lastSyncError == nil)
    shared.server.failure = nil
    if status == 401 {
      try await ben.service.signIn(name: "ben", password: ChatDevice.password)
    }
    await manager.syncPendingMessages()
    #expect(manager.lastSyncError == nil)
    try await ben.wait(for: "m1") { $0.isSynced }
    #expect(try await shared.serverHas("m1"))
    await waitUntil { manager.pendingMessageCount == 0 }
    await shared.end()
  }

  @Test func `A request that times out counts as no attempt`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.send("Before", id: "m0")
    try await ben.wait(for: "m0") { $0.isSynced }
    await ben.service.stop()
    let driver = SyncDriver(
      ben.store.database, ben.store.replica,
      over: HTTPTransport(shared.server.url, idleTimeout: 0.1))
    await driver.setToken(ben.service.session.token)
    try await ben.send("Ahoy", id: "m1")
    shared.server.gate.close()
    await driver.start()
    for _ in 0..<6 {
      let failure = await #expect(throws: SyncEngine.Failure.self) { try await driver.drain() }
      #expect(failure?.code == .timedOut)
    }
    let row = try #require(try await ben.row("m1"))
    #expect(row.syncAttempts == 0 && row.status == .sending && row.needsSync)
    shared.server.gate.open()
    try await driver.drain()
    try await shared.ann.waitForTexts(["Before", "Ahoy"])
    await driver.stop()
    await shared.end()
  }

  @Test func `Going offline pauses sending, and its end continues it`() async throws {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    shared.server.gate.close()
    for number in 1...3 { try await ben.send("Ahoy \(number)", id: "m\(number)") }
    let sending = Task { await manager.syncPendingMessages() }
    await waitUntil { manager.isSyncing }
    try await ben.service.setAirplane(true)
    await sending.value
    #expect(!manager.isSyncing && manager.pendingMessageCount == 3)
    #expect(manager.lastSyncError == nil && !manager.networkMonitor.isConnected)
    shared.server.gate.open()
    await manager.syncPendingMessages()
    #expect(manager.pendingMessageCount == 3, "nothing is sent while the device is offline")
    for number in 1...3 { #expect(try await ben.row("m\(number)")?.syncAttempts == 0) }
    try await ben.service.setAirplane(false)
    try await shared.ann.waitForTexts(["Ahoy 1", "Ahoy 2", "Ahoy 3"])
    await waitUntil { manager.pendingMessageCount == 0 }
    await shared.end()
  }

  @Test func `While the server is away nothing is lost, and no attempt counts`() async throws {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    await shared.server.stop()
    for number in 1...3 { try await ben.send("Ahoy \(number)", id: "m\(number)") }
    await manager.syncPendingMessages()
    #expect(manager.lastSyncError == .network(.offline) && manager.pendingMessageCount == 3)
    #expect(try await ben.row("m1")?.syncAttempts == 0)
    let server = try LoopbackServer(
      try MessAISchema.current.manifest, continuing: shared.server)
    await manager.syncPendingMessages()
    #expect(manager.lastSyncError == nil)
    try await shared.ann.waitForTexts(["Ahoy 1", "Ahoy 2", "Ahoy 3"])
    for device in [shared.ann, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A message from before the first account becomes the account's`() async throws {
    let server = try LoopbackServer(try MessAISchema.current.manifest)
    let device = try await ChatDevice(server: server.url)
    let now = device.store.now()
    try await device.data.saveConversation(
      Conversation(
        id: "c1", participantIds: [device.id], isGroup: false, lastMessage: "", lastMessageAt: now,
        createdBy: device.id, createdAt: now))
    try await device.send("Ahoy", id: "m1")
    #expect(device.manager.pendingMessageCount == 1)
    try await device.service.signUp(name: "ann", password: ChatDevice.password)
    try await device.wait(for: "m1") { $0.isSynced }
    await waitUntil { device.manager.pendingMessageCount == 0 }
    #expect(try await device.row("m1")?.senderId == device.id)
    let second = try await ChatDevice(of: "ann", on: server)
    try await second.waitForTexts(["Ahoy"])
    for device in [device, second] { await device.end() }
    await server.stop()
  }
}
