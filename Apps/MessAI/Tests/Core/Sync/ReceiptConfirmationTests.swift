import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import MessAI

/// The receipts that a device sends for messages that arrive and that its user reads.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ReceiptConfirmationTests {
  @Test func `A message is confirmed on arrival, and again when it is read`() async throws {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    try await ann.send("Ahoy", id: "m1")
    try await ann.wait(for: "m1") { $0.status == .delivered }
    let delivered = try #require(try await ann.row("m1"))
    #expect(delivered.deliveredAt != nil && delivered.readAt == nil)
    #expect(try await ben.data.fetchConversations().first?.unreadCount == 1)
    let chat = ben.app.makeChat("c1", at: .end)
    try await chat.load()
    #expect(await chat.markRead())
    #expect(try await ben.data.fetchConversations().first?.unreadCount == 0)
    try await ann.wait(for: "m1") { $0.status == .read }
    #expect(try await ann.row("m1")?.readAt != nil)
    #expect(try await ann.row("m1")?.deliveredAt == delivered.deliveredAt)
    await shared.end()
  }

  @Test func `A message from before a member joined is confirmed when the member sees it`()
    async throws
  {
    let server = try LoopbackServer(try MessAISchema.current.manifest)
    let ann = try await ChatDevice(of: "ann", on: server)
    let ben = try await ChatDevice(of: "ben", on: server)
    try await ann.makeConversation("c1")
    try await ann.send("Ahoy", id: "m1")
    try await ann.wait(for: "m1") { $0.status == .sent }
    try await ann.admit(ben, to: "c1")
    try await ben.waitForTexts(["Ahoy"])
    #expect(try await ben.data.fetchConversations().first?.unreadCount == 0)
    let chat = ben.app.makeChat("c1", at: .end)
    try await chat.load()
    #expect(await chat.markRead())
    try await ann.wait(for: "m1") { $0.status == .read }
    for device in [ann, ben] { await device.end() }
    await server.stop()
  }

  @Test func `A message that was read in airplane mode is confirmed after it`() async throws {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    try await ann.send("Ahoy", id: "m1")
    try await ann.wait(for: "m1") { $0.status == .delivered }
    try await ben.service.setAirplane(true)
    try await Receipts(manager: ben.data).confirmReading(of: ["m1"])
    #expect(try await ben.row("m1")?.isUnread == false)
    #expect(try await ann.row("m1")?.status == .delivered)
    try await ben.service.setAirplane(false)
    try await ann.wait(for: "m1") { $0.status == .read }
    await shared.end()
  }

  @Test func `What a viewer has read is confirmed when the viewer may write`() async throws {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    try await ann.setRole(.viewer, of: ben)
    try await ben.waitForRole(.viewer)
    try await ann.send("Ahoy", id: "m1")
    try await ben.waitForTexts(["Ahoy"])
    try await Receipts(manager: ben.data).confirmReading(of: ["m1"])
    #expect(try await ben.row("m1")?.isUnread == false)
    #expect(try await ann.row("m1")?.status != .read)
    try await ann.setRole(.editor, of: ben)
    try await ann.wait(for: "m1") { $0.status == .read }
    let held = try await ben.store.read { try HeldReceipt.all.count($0) }
    #expect(held == 0)
    await shared.end()
  }

  @Test func `What was read in a provisional conversation is confirmed in the real one`()
    async throws
  {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    let message = ann.message("Ahoy", id: "m1", in: "c2")
    try await ben.data.saveMessage(message)
    try await Receipts(manager: ben.data).confirmReading(of: ["m1"])
    try await ann.makeConversation("c2")
    try await ann.manager.queueMessageForSync(message)
    try await ann.admit(ben, to: "c2")
    try await ann.wait(for: "m1") { $0.status == .read }
    await shared.end()
  }

  @Test func `The user's own messages, unknown ones and read ones need no receipt`() async throws {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    try await ann.send("Ahoy", id: "m1")
    try await ben.wait(for: "m1")
    try await ben.send("Land", id: "m2")
    let receipts = Receipts(manager: ben.data)
    try await receipts.confirmReading(of: ["m1", "m2", "m9"])
    let former = try await ben.store.read { try ReceiptRow.all.all($0) }
    #expect(former.filter { $0.userId == ben.id }.map(\.messageId) == ["m1"])
    try await receipts.confirmReading(of: ["m1", "m2"])
    try await receipts.confirmArrivals()
    let own = try await ben.store.read { try ReceiptRow.where { $0.messageId == "m1" }.all($0) }
    #expect(own == former.filter { $0.messageId == "m1" })
    await shared.end()
  }

  @Test func `A message that arrives while another one is confirmed is reported`() async throws {
    let server = try LoopbackServer(try MessAISchema.current.manifest)
    let ben = try await ChatDevice(of: "ben", on: server)
    try await ben.makeConversation("c1")
    await ben.manager.stop()
    await ben.service.stop()
    func arrival(_ id: String) -> Message {
      Message(
        id: id, conversationId: "c1", senderId: "ann", text: "Ahoy",
        sentAt: ben.store.now().addingTimeInterval(60), status: .sent)
    }
    let receipts = Receipts(manager: ben.data)
    try await ben.data.saveMessage(arrival("m1"))
    var missing = receipts.missing().makeAsyncIterator()
    let first = try await missing.next()
    #expect(first == ["m1"])
    let next = arrival("m2")
    try await ben.data.save { saving in
      try saving.addReceipt(.delivered, of: saving.message("m1"))
      try saving.save([next], isSynced: true)
    }
    let second = try await missing.next()
    #expect(second == ["m2"])
    try await receipts.confirmArrivals()
    let last = try await missing.next()
    #expect(last == [])
    await server.stop()
  }

  @Test func `A damaged message or receipt keeps no other message from its receipt`() async throws {
    let chat = try await Chat()
    let (ann, ben) = (chat.ann, chat.ben)
    for number in 1...4 { try await ann.write("Ahoy \(number)", id: "m\(number)") }
    try await chat.settle()
    let receipts = Receipts(manager: ben.data)
    try await ben.run("UPDATE messages SET status = 'lost' WHERE id = 'm1'")
    try await receipts.confirmArrivals()
    func receivers(_ state: ReceiptState) async throws -> [String] {
      try await ben.store.read { reader in
        try ReceiptRow.where { $0.state == state }.order { $0.messageId.ascending }
          .select { $0.messageId }.all(reader)
      }
    }
    #expect(try await receivers(.delivered) == ["m2", "m3", "m4"])
    #expect(try await ben.conversation()?.unreadCount == 3, "no screen can show the damaged one")
    try await ben.store.write { writer in
      try SyncedStore.uncaptured(writer) {
        try SQL("UPDATE receipts SET state = 'lost' WHERE messageId = 'm2'").run(writer)
      }
    }
    try await receipts.confirmReading(of: ["m1", "m2", "m3"])
    #expect(try await receivers(.read) == ["m2", "m3"])
    #expect(try await ben.conversation()?.unreadCount == 1)
    try await chat.settle()
    #expect(try await ann.message("m3")?.status == .read)
    #expect(try await ann.message("m2")?.status == .read)
    #expect(try await ben.refusals() == [])
  }

  @Test func `A confirmation that failed is retried, without another message`() async throws {
    let server = try LoopbackServer(try MessAISchema.current.manifest)
    let ben = try await ChatDevice(of: "ben", on: server)
    try await ben.makeConversation("c1")
    await ben.manager.stop()
    try await ben.run(
      "CREATE TRIGGER stop BEFORE INSERT ON receipts BEGIN SELECT RAISE(ABORT, 'stop'); END")
    let delays = Mutex<[Duration]>([])
    let manager = SyncManager(
      localDataManager: ben.data, networkMonitor: ben.manager.networkMonitor
    ) { [store = ben.store] delay in
      delays.withLock { $0.append(delay) }
      guard delays.withLock({ $0.count == 3 }) else { return }
      try await store.write { try SQL("DROP TRIGGER stop").run($0) }
    }
    manager.start()
    try await ben.data.saveMessage(
      Message(
        id: "m1", conversationId: "c1", senderId: "ann", text: "Ahoy",
        sentAt: ben.store.now().addingTimeInterval(60), status: .sent))
    for try await receipts in ben.store.values(of: ReceiptRow.all) where receipts.count == 1 {
      break
    }
    #expect(delays.withLock { $0 } == [.seconds(1), .seconds(2), .seconds(4)])
    await manager.stop()
    await ben.service.stop()
    await server.stop()
  }

  @Test func `Without an account no receipts are stored on arrival`() async throws {
    let device = try await ChatDevice()
    let message = Message(
      id: "m1", conversationId: "c1", senderId: "ann", text: "Ahoy", sentAt: device.store.now(),
      status: .sent)
    try await device.data.saveMessage(message)
    try await Receipts(manager: device.data).confirmArrivals()
    #expect(try await device.store.read { try ReceiptRow.all.count($0) } == 0)
    await device.end()
  }
}
