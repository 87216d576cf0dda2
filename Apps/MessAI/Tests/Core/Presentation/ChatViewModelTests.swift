import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import MessAI

/// The model of a conversation, on a device without a server.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChatViewModelTests {
  private let device: ChatDevice
  private var data: LocalDataManager { device.data }

  /// Creates a conversation with three messages of ben.
  init() async throws {
    device = try await ChatDevice()
    try await device.data.saveConversation(
      .sample("c1", with: [device.id, "ben"], createdBy: device.id))
    try await device.data.batchSaveMessages(
      (1...3).map { .sample("m\($0)", "Ahoy \($0)", at: Double($0)) })
  }

  private func open(at position: WindowPosition<String> = .end) async throws -> ChatViewModel {
    let chat = device.app.makeChat("c1", at: position)
    try await chat.load()
    return chat
  }

  private func ids(_ chat: ChatViewModel) -> [String] {
    chat.window.state.data?.map(\.id) ?? []
  }

  // MARK: - Writing

  @Test func `A message is stored, shown and queued, and the draft is removed`() async throws {
    let chat = try await open()
    try await chat.draft.keep("Lan")
    let id = chat.nextID
    #expect(await chat.send("  Land!\n", id: id))
    #expect(ids(chat) == ["m1", "m2", "m3", id.uuidString])
    let entry = try #require(chat.window.state.data?.last)
    #expect(entry.isOwn && entry.message.text == "Land!" && entry.message.status == .sending)
    #expect(entry.message.senderId == chat.userId && !entry.isUnread)
    #expect(chat.typedText.isEmpty && chat.nextID != id && chat.errors.isEmpty)
    #expect(device.manager.pendingMessageCount == 1)
    #expect(try await open().draft.text.isEmpty)
    await device.end()
  }

  @Test func `A form that is sent twice makes one message`() async throws {
    let chat = try await open()
    let id = chat.nextID
    #expect(await chat.send("Land", id: id))
    #expect(await chat.send("Land", id: id))
    #expect(ids(chat) == ["m1", "m2", "m3", id.uuidString])
    await device.end()
  }

  @Test func `A form that is sent again with other contents makes another message`() async throws {
    let chat = try await open()
    let id = chat.nextID
    #expect(await chat.send("Land", id: id))
    try await chat.draft.keep("Sea")
    #expect(await chat.send("Sea", id: id))
    #expect(await chat.send("Land", id: id, replyingTo: "m1"))
    let entries = try #require(chat.window.state.data).suffix(3)
    #expect(entries.map(\.message.text) == ["Land", "Sea", "Land"])
    #expect(entries.map(\.message.replyToId) == [nil, nil, "m1"])
    #expect(entries.first?.id == id.uuidString && Set(entries.map(\.id)).count == 3)
    #expect(chat.draft.text.isEmpty)
    await device.end()
  }

  @Test func `A message of another conversation is not quoted`() async throws {
    try await data.saveConversation(
      .sample("c2", with: [device.id, "ben"], createdBy: device.id))
    try await data.saveMessage(.sample("other", "Secret", in: "c2", at: 4))
    let chat = try await open()
    #expect(await chat.send("Land", replyingTo: "other"))
    #expect(await chat.send("Sea", replyingTo: "m1"))
    let quotes = try #require(chat.window.state.data).suffix(2).map(\.reply?.text)
    #expect(quotes == [nil, "Ahoy 1"])
    await device.end()
  }

  @Test func `The draft goes with its conversation`() async throws {
    let chat = try await open()
    try await chat.draft.keep("Lan")
    try await data.deleteConversation(id: "c1")
    #expect(try await data.store.setting("draft.chat.c1") == nil)
    await device.end()
  }

  @Test func `An empty or too long text is refused with a reason, and stays typed`() async throws {
    let chat = try await open()
    let long = String(repeating: "я", count: Message.textLimit + 1)
    let tooLong = AppError.validation(.tooLong(field: "text", maximum: Message.textLimit))
    let refusals = [
      ("", AppError.validation(.missingRequiredFields)),
      (" \n ", .validation(.missingRequiredFields)), (long, tooLong),
    ]
    for (text, reason) in refusals {
      #expect(await !chat.send(text))
      #expect(chat.errors == [.text: reason] && chat.typedText == text)
    }
    #expect(ids(chat) == ["m1", "m2", "m3"])
    #expect(await chat.send(String(long.dropLast())))
    #expect(chat.errors.isEmpty && chat.typedText.isEmpty)
    await device.end()
  }

  @Test func `An image that is too large is refused beside its field, and the text stays typed`()
    async throws
  {
    let chat = try await open()
    let image = [UInt8](repeating: 0, count: (10 << 20) + 1)
    #expect(await !chat.send("Look", image: image))
    #expect(chat.errors[.image] != nil && chat.errors[.text] == nil && chat.typedText == "Look")
    #expect(ids(chat) == ["m1", "m2", "m3"])
    await device.end()
  }

  @Test func `A full disk fails the send, and keeps the text and the draft`() async throws {
    let chat = try await open()
    try await chat.draft.keep("Land")
    let limit = try await device.limitPages()
    let text = String(repeating: "Land ", count: 3_000)
    #expect(await !chat.send(text, id: chat.nextID))
    #expect(chat.errors == [.text: .database(.full)] && chat.typedText == text)
    #expect(ids(chat) == ["m1", "m2", "m3"] && device.manager.pendingMessageCount == 0)
    #expect(try await open().draft.text == "Land")
    try await device.limitPages(to: limit + 1_000)
    #expect(await chat.send(text, id: chat.nextID))
    #expect(ids(chat).count == 4 && chat.errors.isEmpty)
    await device.end()
  }

  @Test func `A message is stored together with the removal of its draft, in one write`()
    async throws
  {
    // After the message is stored, no write is possible.
    let connection = try Connection(device.store.path)
    defer { withExtendedLifetime(connection) {} }
    var count = 0
    let chat = ChatViewModel("c1", device.manager, images: device.app.images) {
      count += 1
      if count == 3 {
        #expect(throws: Never.self) { try connection.runUnguarded("BEGIN IMMEDIATE") }
      }
      return UUID()
    }
    try await chat.load()
    try await chat.draft.keep("Land")
    #expect(await chat.send("Land", id: chat.nextID))
    #expect(count == 3 && chat.errors.isEmpty && chat.typedText.isEmpty)
    try connection.runUnguarded("COMMIT")
    #expect(try await open().draft.text.isEmpty)
    await device.end()
  }

  @Test func `A draft is stored by conversation`() async throws {
    try await open().draft.keep("Half a sen")
    #expect(try await open().typedText == "Half a sen")
    try await data.saveConversation(.sample("c2", with: [device.id], createdBy: device.id))
    let other = device.app.makeChat("c2", at: .end)
    try await other.load()
    #expect(other.typedText.isEmpty)
    await device.end()
  }

  @Test func `A reply names the message that it answers, also after that is deleted`() async throws
  {
    let chat = try await open()
    await chat.reply(to: "m9")
    #expect(chat.repliedEntry == nil)
    await chat.reply(to: "m2")
    #expect(chat.repliedEntry?.message.text == "Ahoy 2" && chat.isAnswering)
    #expect(await chat.send("Aye", replyingTo: "m2"))
    #expect(chat.repliedEntry == nil && !chat.isAnswering)
    let reply = try #require(chat.window.state.data?.last?.reply)
    #expect(reply.id == "m2" && reply.text == "Ahoy 2" && reply.senderId == "ben")
    #expect(await chat.actions.delete("m2"))
    let entry = try #require(chat.window.state.data?.last)
    #expect(entry.reply == nil && entry.message.replyToId == "m2")
    await device.end()
  }

  // MARK: - Reading

  @Test func `A conversation opens at the first unread message, or at the end`() async throws {
    try await data.batchSaveMessages(
      (10...200).map { .sample("m\($0)", "Ahoy \($0)", at: Double($0)) })
    let first = try await open()
    #expect(first.firstUnreadID == "m1" && first.window.position == .near("m1"))
    #expect(!first.window.canLoadBefore && first.window.canLoadAfter)
    try await Receipts(manager: data).confirmReading(
      of: Set(["m1", "m2", "m3"] + (10...149).map { "m\($0)" }))
    let middle = try await open()
    #expect(middle.firstUnreadID == "m150" && ids(middle).contains("m150"))
    #expect(middle.window.canLoadBefore)
    // A place that was requested has priority.
    #expect(try await open(at: .around("m20")).window.position == .around("m20"))
    try await Receipts(manager: data).confirmReading(of: Set((150...200).map { "m\($0)" }))
    let last = try await open()
    #expect(last.firstUnreadID == nil && ids(last).last == "m200" && !last.window.canLoadAfter)
    await device.end()
  }

  @Test func `Only the messages that were in view become read`() async throws {
    let chat = try await open()
    #expect(await chat.markRead(["m1", "m2", "m9"]))
    let unread = try #require(chat.window.state.data).filter(\.isUnread).map(\.id)
    #expect(unread == ["m3"])
    #expect(chat.window.state.data?.filter { chat.isUnseen($0) }.map(\.id) == ["m3"])
    #expect(try await data.fetchConversations().first?.unreadCount == 1)
    await device.end()
  }

  @Test func `A message that cannot be read does not stay unread`() async throws {
    try await device.run("UPDATE messages SET status = 'lost' WHERE id = 'm2'")
    let chat = try await open()
    #expect(try await data.fetchConversations().first?.unreadCount == 3)
    #expect(await chat.markRead(["m1"]))
    #expect(try await data.fetchConversations().first?.unreadCount == 1)
    await device.end()
  }

  @Test func `Reading that cannot be stored is reported, and the messages stay unread`()
    async throws
  {
    let chat = try await open()
    try await device.run(
      "CREATE TRIGGER stop BEFORE INSERT ON receipts BEGIN SELECT RAISE(ABORT, 'stop'); END")
    #expect(await !chat.markRead())
    #expect(try await data.fetchConversations().first?.unreadCount == 3)
    try await device.run("DROP TRIGGER stop")
    #expect(await chat.markRead())
    #expect(try await data.fetchConversations().first?.unreadCount == 0)
    await device.end()
  }

  @Test func `The window opens at a message, or at the end if that does not exist`() async throws {
    try await data.batchSaveMessages(
      (10...200).map { .sample("m\($0)", "Ahoy \($0)", at: Double($0)) })
    let hit = try await open(at: .around("m100"))
    #expect(ids(hit).contains("m100") && !hit.window.isRowMissing)
    #expect(hit.window.canLoadBefore && hit.window.canLoadAfter)
    let missing = try await open(at: .around("m5000"))
    #expect(missing.window.isRowMissing && ids(missing).last == "m200")
    await device.end()
  }

  @Test func `Sending far above the end leads to the end`() async throws {
    try await data.batchSaveMessages(
      (10...200).map { .sample("m\($0)", "Ahoy \($0)", at: Double($0)) })
    let chat = try await open(at: .around("m100"))
    let id = chat.nextID
    #expect(await chat.send("Land", id: id))
    await waitUntil { chat.window.state.data?.last?.id == id.uuidString }
    #expect(!chat.window.canLoadAfter)
    await device.end()
  }

  @Test func `The messages that are shown become read, and the counts follow`() async throws {
    #expect(try await data.fetchConversations().first?.unreadCount == 3)
    await device.app.unreadCount.catchUp()
    #expect(device.app.unreadCount.state.data == 3)
    let chat = try await open()
    #expect(chat.window.state.data?.allSatisfy(\.isUnread) == true)
    #expect(await chat.markRead())
    #expect(chat.window.state.data?.contains { $0.isUnread } == false)
    #expect(try await data.fetchConversations().first?.unreadCount == 0)
    await device.app.unreadCount.catchUp()
    #expect(device.app.unreadCount.state.data == 0)
    await device.end()
  }

  @Test func `A message that arrives appears by itself`() async throws {
    let chat = try await open()
    try await data.saveMessage(.sample("m4", "Ahoy 4", at: 4))
    await waitUntil { chat.window.state.data?.last?.id == "m4" }
    await device.end()
  }

  @Test func `A damaged message is left out and named`() async throws {
    try await device.run("UPDATE messages SET status = 'lost' WHERE id = 'm2'")
    let chat = try await open()
    #expect(ids(chat) == ["m1", "m3"] && chat.unreadable.count == 1)
    await device.end()
  }

  @Test func `A conversation that does not exist cannot be opened`() async throws {
    let chat = device.app.makeChat("c9", at: .end)
    await #expect(throws: AppError.database(.notFound)) { try await chat.load() }
    await device.end()
  }

  // MARK: - Actions

  @Test func `An own message is deleted, and one of another member is hidden`() async throws {
    let chat = try await open()
    #expect(await chat.send("Land", id: chat.nextID))
    let own = try #require(ids(chat).last)
    #expect(await chat.actions.delete("m3"))
    #expect(chat.actions.hiddenID == "m3")
    #expect(await chat.actions.delete(own))
    #expect(chat.actions.hiddenID == nil)
    #expect(ids(chat) == ["m1", "m2"])
    #expect(try await device.row(own) == nil)
    #expect(try await device.row("m3")?.isHidden == true)
    #expect(await !chat.actions.delete("m9"))
    #expect(chat.actions.failure?.error == .database(.notFound))
    await device.end()
  }

  @Test func `A message that waits is edited and cancelled`() async throws {
    let chat = try await open()
    let id = chat.nextID.uuidString
    #expect(await chat.send("Lnd", id: chat.nextID))
    #expect(await chat.actions.edit(id, to: " Land\n"))
    #expect(chat.window.state.data?.last?.message.text == "Land")
    #expect(await chat.actions.cancel(id))
    #expect(ids(chat) == ["m1", "m2", "m3"] && device.manager.pendingMessageCount == 0)
    #expect(await !chat.actions.cancel("m1"))
    #expect(chat.actions.failure != nil)
    await device.end()
  }

  @Test func `An edit that is not allowed stays typed, with its reason`() async throws {
    let chat = try await open()
    let id = chat.nextID.uuidString
    #expect(await chat.send("Land", id: chat.nextID))
    #expect(await !chat.actions.edit(id, to: "  "))
    #expect(
      chat.actions.refusedEdit
        == RefusedEdit(messageId: id, text: "  ", error: .validation(.missingRequiredFields)))
    #expect(chat.actions.failure == nil)
    #expect(await chat.actions.edit(id, to: "Land!"))
    #expect(chat.actions.refusedEdit == nil)
    await device.end()
  }

  @Test func `A failed message is sent again`() async throws {
    let chat = try await open()
    let id = chat.nextID.uuidString
    #expect(await chat.send("Land", id: chat.nextID))
    for _ in 1...5 { try await data.incrementSyncAttempts(messageId: id, error: "no") }
    #expect(try await device.row(id)?.status == .failed)
    #expect(await chat.actions.retry(id))
    #expect(chat.window.state.data?.last?.message.status == .sending)
    #expect(try await device.row(id)?.syncAttempts == 0)
    await device.end()
  }
}
