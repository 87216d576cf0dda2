import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

@testable import MessAI

/// Two phones that sync by themselves with a real server.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct LiveDeliveryTests {
  /// A device whose app runs.
  @MainActor private struct LivePhone {
    let data: LocalDataManager
    let sync: SyncService
    let id: String

    init(_ name: String, of server: LoopbackServer) async throws {
      let controller = try PersistenceController(inMemory: true)
      data = LocalDataManager(controller)
      sync = try await controller.store.sync(with: server.url)
      try await sync.signUp(name: name, password: "correct horse")
      id = try await controller.store.read { try SyncedStore.userID($0).uuidString }
    }

    func write(_ text: String, id messageID: String) async throws {
      try await data.saveMessage(
        Message(
          id: messageID, conversationId: "c1", senderId: id, text: text,
          sentAt: data.store.now(), status: .sending), isSynced: false)
    }

    /// Waits until the messages meet a condition.
    func wait(until isMet: ([Message]) -> Bool) async throws {
      let values = data.store.values { try MessageRow.all(in: "c1").all($0).map(\.message) }
      for try await messages in values where isMet(messages) { return }
    }

    func waitForRole(_ role: Role) async throws {
      let values = data.store.values { [store = data.store] in
        try store.role(in: .known("c1"), $0)
      }
      for try await found in values where found == role { return }
    }
  }

  /// Returns a server with a conversation of two members.
  private func makeChat() async throws -> (server: LoopbackServer, ann: LivePhone, ben: LivePhone) {
    let server = try LoopbackServer(try MessAISchema.current.manifest)
    let ann = try await LivePhone("ann", of: server)
    let ben = try await LivePhone("ben", of: server)
    try await ann.data.saveConversation(
      .sample("c1", with: [ann.id], createdBy: ann.id))
    try await ann.waitForRole(.owner)
    let members = MembersModel(try ScopeID.known("c1"), ann.sync)
    await members.load()
    #expect(await members.invite(as: .editor))
    let joining = JoinModel(ben.sync)
    joining.code = try #require(members.invitation?.code)
    #expect(await joining.join()?.value == "c1")
    try await ben.waitForRole(.editor)
    return (server, ann, ben)
  }

  private func end(_ server: LoopbackServer, _ phones: LivePhone...) async {
    for phone in phones { await phone.sync.stop() }
    await server.stop()
  }

  @Test func `Messages that were written offline arrive once, and receipts come back`() async throws
  {
    let (server, ann, ben) = try await makeChat()
    for phone in [ann, ben] { try await phone.sync.setAirplane(true) }
    for number in 0..<10 {
      try await ann.write("Ahoy \(number)", id: "a\(number)")
      try await ben.write("Hi \(number)", id: "b\(number)")
    }
    for phone in [ann, ben] { try await phone.sync.setAirplane(false) }
    for phone in [ann, ben] {
      try await phone.wait { $0.count == 20 && $0.allSatisfy { $0.status != .sending } }
    }
    let order = try await ann.data.fetchMessages(conversationId: "c1").map(\.id)
    #expect(try await ben.data.fetchMessages(conversationId: "c1").map(\.id) == order)
    for number in 0..<10 {
      try await ben.data.updateMessageStatus(id: "a\(number)", status: .read)
      try await ann.data.updateMessageStatus(id: "b\(number)", status: .read)
    }
    for phone in [ann, ben] {
      try await phone.wait { $0.count == 20 && $0.allSatisfy { $0.status == .read } }
    }
    await end(server, ann, ben)
  }

  @Test func `Deleting all data of one person changes nothing elsewhere`() async throws {
    let (server, ann, ben) = try await makeChat()
    try await ann.write("Ahoy", id: "a1")
    try await ben.write("Hi", id: "b1")
    for phone in [ann, ben] { try await phone.wait { $0.count == 2 } }
    try await ben.sync.drain()
    await ben.sync.stop()
    try await ben.data.controller.deleteAllData()
    #expect(try await ben.data.fetchConversations() == [])
    try await ann.sync.pull()
    #expect(try await ann.data.fetchMessages(conversationId: "c1").count == 2)
    let third = try await LivePhone("cleo", of: server)
    #expect(try await third.data.fetchConversations() == [])
    await end(server, ann, third)
  }
}
