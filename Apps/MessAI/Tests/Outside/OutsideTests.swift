import Foundation
import MessAI
import Observation
import OffshoreHTTP
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import Testing

/// The managers as a program outside of this package uses them: the target has no access to `package` names.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct OutsideTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "offshore-outside-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  private func makeData(_ name: String) throws -> LocalDataManager {
    LocalDataManager(try PersistenceController(path: path(name)))
  }

  private func message(
    _ id: String, from sender: String, _ status: MessageStatus = .sending
  ) -> Message {
    Message(
      id: id, conversationId: "c1", senderId: sender, text: "Ahoy", sentAt: Date(), status: status)
  }

  /// Waits until an observed condition holds.
  private func wait(until isMet: @escaping @MainActor @Sendable () -> Bool) async {
    for await isDone in Observations({ isMet() }) where isDone { return }
  }

  @Test func `A manager is set up with a server, started, and sends`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = try makeData("messai.sqlite")
    let serverData = try ServerData(path("server.sqlite"))
    var configuration = ServerConfiguration()
    configuration.opensSignUp = true
    let sync = try await SyncServer(
      serverData, manifest: data.store.schema.manifest, configuration: configuration)
    var listening = HTTPServer.Configuration()
    listening.port = 0
    let server = HTTPServer(listening, router: sync.router)
    let url = try #require(URL(string: "http://127.0.0.1:\(try server.start())"))
    let network = NetworkMonitor()
    let manager = try await SyncManager.syncing(data, with: url, networkMonitor: network)
    let service = try #require(manager.service)
    let auth = AuthViewModel(service)
    try await service.signUp(name: "ann", password: "correct horse")
    #expect(auth.isAuthenticated)
    await wait { network.isConnected }
    #expect(network.connectionType == .loopback)
    let now = Date()
    try await data.saveConversation(
      Conversation(
        id: "c1", participantIds: [auth.userId], isGroup: false, lastMessage: "",
        lastMessageAt: now, createdBy: auth.userId, createdAt: now))
    try await manager.queueMessageForSync(message("m1", from: auth.userId))
    await manager.syncPendingMessages()
    await wait { manager.pendingMessageCount == 0 }
    #expect(try await data.fetchUnsyncedMessages().isEmpty)
    await manager.stop()
    await service.stop()
    await server.stop()
    await serverData.close()
  }

  @Test func `The number of unsent messages is known before the first call`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = try makeData("messai.sqlite")
    try await data.saveMessage(message("m1", from: "ann"), isSynced: false)
    try await data.saveMessage(message("m2", from: "ann", .failed), isSynced: false)
    try await data.saveMessage(message("m3", from: "ann", .sent))
    #expect(SyncManager(localDataManager: data).pendingMessageCount == 2)
    let another = LocalDataManager(try PersistenceController(inMemory: true))
    #expect(SyncManager(localDataManager: another).pendingMessageCount == 0)
  }

  @Test func `The shared monitor observes the interfaces of this machine`() async {
    let monitor = NetworkMonitor.shared
    await monitor.checkConnection()
    let kind = monitor.connectionType
    await wait { monitor.connectionType == kind }
    #expect(monitor.isConnected == (kind != .none))
  }
}
