import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// Messages that are cancelled or edited before they leave the device.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct WithdrawnMessagesTests {
  /// Returns whether the cause of an error is that the server may have a message.
  private func isAlreadySent(_ error: PersistenceError?) -> Bool {
    (error?.cause as? ReplicaError)?.code == .alreadySent
  }

  @Test func `A cancelled message never leaves the device`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.service.setAirplane(true)
    try await ben.send("Secret", id: "m1")
    try await ben.send("Ahoy", id: "m2")
    try await ben.manager.cancel(messageId: "m1")
    #expect(ben.manager.pendingMessageCount == 1)
    #expect(try await ben.texts() == ["Ahoy"])
    try await ben.manager.cancel(messageId: "m2")
    #expect(ben.manager.pendingMessageCount == 0)
    #expect(try await ben.data.fetchConversations().first?.lastMessage == "")
    try await ben.send("Land", id: "m3")
    try await ben.service.setAirplane(false)
    try await shared.ann.waitForTexts(["Land"])
    #expect(shared.wire.messageIDs == ["m3"])
    #expect(try await !shared.serverHas("m1"))
    await shared.end()
  }

  @Test func `Of an edited message only the new text leaves the device`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.service.setAirplane(true)
    try await ben.send("Secret", id: "m1")
    try await ben.manager.edit(messageId: "m1", text: "Ahoy")
    #expect(ben.manager.pendingMessageCount == 1)
    #expect(try await ben.data.fetchConversations().first?.lastMessage == "Ahoy")
    try await ben.service.setAirplane(false)
    try await shared.ann.waitForTexts(["Ahoy"])
    #expect(Set(shared.wire.texts(of: "m1")) == ["Ahoy"])
    await shared.end()
  }

  @Test func `What may have left is neither cancelled nor edited`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.send("Ahoy", id: "m1")
    try await ben.wait(for: "m1") { $0.isSynced }
    let cancelling = await persistenceError { try await ben.manager.cancel(messageId: "m1") }
    #expect(cancelling == .deleteFailed(Message.Problem.empty) && isAlreadySent(cancelling))
    let editing = await persistenceError {
      try await ben.manager.edit(messageId: "m1", text: "Land")
    }
    #expect(editing == .saveFailed(Message.Problem.empty) && isAlreadySent(editing))
    #expect(try await ben.texts() == ["Ahoy"])
    // The request is on its way, without an answer.
    shared.server.gate.close()
    try await ben.send("Land", id: "m2")
    try await ben.store.waitUntilOffered("m2")
    let late = await persistenceError { try await ben.manager.cancel(messageId: "m2") }
    #expect(isAlreadySent(late))
    shared.server.gate.open()
    try await shared.ann.waitForTexts(["Ahoy", "Land"])
    await shared.end()
  }

  @Test(arguments: [true, false])
  func `An edit of a failed message is done as a whole, or not at all`(isLinked: Bool) async throws
  {
    let chat = try await Chat()
    let phone = isLinked ? chat.ann : try await chat.post.makePhone(of: "cleo", isLinked: false)
    let user = try await phone.store.read { try SyncedStore.userID($0).uuidString }
    let message = Message.sample("m1", "Ahoi", from: user, status: .sending)
    try await phone.data.saveMessage(message, isSynced: false)
    for _ in 1...5 { try await phone.data.incrementSyncAttempts(messageId: "m1", error: "no") }
    let manager = SyncManager(localDataManager: phone.data)
    try await phone.run(
      "CREATE TRIGGER stop BEFORE UPDATE OF status ON messages BEGIN SELECT RAISE(ABORT, ''); END")
    #expect(
      await persistenceError { try await manager.edit(messageId: "m1", text: "Ahoy") }
        == .saveFailed(Message.Problem.empty))
    let former = try await phone.store.read { try MessageRow.find("m1").first($0) }
    #expect(former?.text == "Ahoi" && former?.status == .failed && former?.syncAttempts == 5)
    try await phone.run("DROP TRIGGER stop")
    try await manager.edit(messageId: "m1", text: "Ahoy")
    let row = try await phone.store.read { try MessageRow.find("m1").first($0) }
    #expect(row?.text == "Ahoy" && row?.status == .sending && row?.needsSync == true)
    #expect(row?.syncAttempts == 0 && row?.lastSyncError == nil)
    #expect(try await phone.conversation()?.lastMessage == "Ahoy")
  }

  @Test func `A message that does not exist is neither cancelled nor edited`() async throws {
    let device = try await ChatDevice()
    let manager = device.manager
    #expect(
      await persistenceError { try await manager.cancel(messageId: "m1") } == .messageNotFound)
    #expect(
      await persistenceError { try await manager.edit(messageId: "m1", text: "Ahoy") }
        == .messageNotFound)
    await device.end()
  }

  @Test func `An edit without a text, or with one that is too long, changes nothing`()
    async throws
  {
    let device = try await ChatDevice()
    try await device.send("Ahoy", id: "m1")
    let long = String(repeating: "a", count: Message.textLimit + 1)
    for (text, problem) in [("", Message.Problem.empty), (long, .tooLong)] {
      let error = await persistenceError {
        try await device.manager.edit(messageId: "m1", text: text)
      }
      #expect(error == .saveFailed(problem) && error?.cause as? Message.Problem == problem)
    }
    #expect(try await device.texts() == ["Ahoy"])
    await device.end()
  }

  @Test
  func `Without an account, unsent messages are cancelled and edited, and synced ones are not`()
    async throws
  {
    let device = try await ChatDevice()
    try await device.send("Ahoi", id: "m1")
    try await device.send("Land", id: "m2")
    try await device.manager.cancel(messageId: "m2")
    #expect(device.manager.pendingMessageCount == 1)
    try await device.manager.edit(messageId: "m1", text: "Ahoy")
    #expect(try await device.texts() == ["Ahoy"])
    #expect(try await device.data.fetchConversations().first?.lastMessage == "Ahoy")
    var synced = device.message("Hello", id: "m3")
    synced.status = .sent
    try await device.data.saveMessage(synced)
    let cancelling = await persistenceError { try await device.manager.cancel(messageId: "m3") }
    let editing = await persistenceError {
      try await device.manager.edit(messageId: "m3", text: "Bye")
    }
    #expect(isAlreadySent(cancelling) && isAlreadySent(editing))
    #expect(try await device.texts() == ["Ahoy", "Hello"])
    await device.end()
  }
}

extension SyncedStore {
  /// Waits until a message may have left the device.
  fileprivate func waitUntilOffered(_ id: String) async throws {
    let states = values { [self] in try sendingStates(of: [id], in: "messages", $0) }
    for try await state in states where state[id]?.mayHaveLeft == true { return }
  }
}
