import Foundation
import Offshore
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// Messages with photos, which are complete only together.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct PhotoTests {
  private let shared: SharedConversation
  private var ann: ChatDevice { shared.ann }
  private var ben: ChatDevice { shared.ben }
  private var wire: Wire { shared.wire }

  init() async throws { shared = try await SharedConversation() }

  /// Returns the number of receipts on a device.
  private func receiptCount(_ device: ChatDevice) async throws -> Int {
    try await device.store.read { try ReceiptRow.all.count($0) }
  }

  private func waitForReceipts(
    _ state: ReceiptState, on device: ChatDevice
  ) async throws {
    for try await rows in device.store.values(of: ReceiptRow.all)
    where rows.contains(where: { $0.state == state }) {
      return
    }
  }

  // MARK: - Waiting

  @Test func `A message is unsent until the server has its photo, and read by no member before`()
    async throws
  {
    wire.uploads.close()
    try await ben.sendPhoto("m1")
    try await ann.wait(for: "m1")
    await wire.uploads.waitUntilHeld()
    try await ann.data.updateMessageStatus(id: "m1", status: .read)
    try await waitForReceipts(.read, on: ben)
    let row = try #require(try await ben.row("m1"))
    #expect(row.status == .sending && !row.isSynced && row.needsSync)
    #expect(row.deliveredAt == nil && row.readAt == nil)
    #expect(try await ben.data.fetchUnsyncedMessages().map(\.id) == ["m1"])
    let (manager, account) = (ben.manager, AccountModel(ben.service))
    await waitUntil { manager.pendingMessageCount == 1 }
    // Signing out asks first.
    await waitUntil { account.unsentCount == 1 }
    #expect(await !account.signOut())
    wire.uploads.open()
    try await ben.wait(for: "m1") { $0.status == .read }
    #expect(try await ben.row("m1")?.isSynced == true)
    await waitUntil { manager.pendingMessageCount == 0 && account.unsentCount == 0 }
    await shared.end()
  }

  @Test func `A member receives a message together with its photo, and may read it before`()
    async throws
  {
    wire.downloads.close()
    for id in ["m1", "m2"] {
      try await ben.sendPhoto(id)
      try await ben.wait(for: id) { $0.status == .sent && $0.isSynced }
      try await ann.wait(for: id)
    }
    await wire.downloads.waitUntilHeld()
    try await Receipts(manager: ann.data).confirmArrivals()
    #expect(try await receiptCount(ann) == 0)
    #expect(try await ann.data.fetchConversations().first?.unreadCount == 2)
    try await ann.data.updateMessageStatus(id: "m2", status: .read)
    try await ben.wait(for: "m2") { $0.status == .read }
    #expect(try await ben.row("m1")?.status == .sent)
    wire.downloads.open()
    try await ben.wait(for: "m1") { $0.status == .delivered }
    await shared.end()
  }

  // MARK: - Refusals

  @Test func `After five refusals of its photo a message has failed, and is retried on request`()
    async throws
  {
    wire.refusesFiles = true
    let file = try await ben.sendPhoto("m1")
    var attempts = 0
    while true {
      try await ben.wait(for: "m1") { [attempts] in
        $0.syncAttempts > attempts || $0.status == .failed
      }
      let row = try #require(try await ben.row("m1"))
      if row.status == .failed { break }
      attempts = row.syncAttempts
      #expect(row.status == .sending && row.needsSync && row.lastSyncError == "tooLarge")
      try await ben.run("UPDATE _file SET due = 0 WHERE attempts < 5")
    }
    #expect((1...4).contains(attempts))
    let (row, manager) = (try #require(try await ben.row("m1")), ben.manager)
    #expect(row.lastSyncError == "tooLarge" && !row.isSynced && !row.needsSync)
    #expect(row.syncAttempts == 5)
    await waitUntil { manager.pendingMessageCount == 1 }
    let entry = try await ben.store.read { [data = ben.data] in
      try data.unsentEntries($0).rows.first
    }
    #expect(entry?.sending?.reason == .tooLarge && entry?.sending?.mayHaveLeft == true)
    let error = await persistenceError { try await manager.cancel(messageId: "m1") }
    #expect((error?.cause as? ReplicaError)?.code == .alreadySent)
    wire.refusesFiles = false
    await manager.retryFailedMessages()
    try await ben.wait(for: "m1") { $0.isSynced }
    #expect(try await ben.row("m1")?.lastSyncError == nil)
    try await ann.waitForFile(file)
    await shared.end()
  }

  // MARK: - Withdrawals

  /// Postpones the next attempt of a refused message by less than the longest delay, after which it would be made at once.
  /// - Returns: `false` if no attempt is to come, because one is under way.
  private func postpone() async throws -> Bool {
    try await ben.store.write { writer in
      try SQL("UPDATE _batch SET due = due + 200000 WHERE due > 0 RETURNING 1")
        .first(writer, as: Int.self) != nil
    }
  }

  @Test func `Of a refused message that is cancelled, the photo has never left`() async throws {
    try await shared.makeBenViewerMeanwhile()
    let file = try await ben.sendPhoto("m1")
    try await ben.service.setAirplane(false)
    // The next attempt is far away, unless it has begun already.
    var attempts = 0
    repeat {
      try await ben.wait(for: "m1") { [attempts] in $0.syncAttempts > attempts }
      attempts = try await ben.row("m1")?.syncAttempts ?? 0
    } while try await !postpone()
    #expect(try await ben.row("m1")?.status == .sending)
    try await ben.manager.cancel(messageId: "m1")
    try await shared.makeBenEditor()
    let other = try await ben.sendPhoto("m2", Array("other".utf8))
    try await ann.waitForFile(other)
    #expect(wire.hasSeen(other) && !wire.hasSeen(file))
    #expect(try await !shared.serverHas("m1"))
    #expect(try await shared.server.storage.read { try $0.blobs(file.hash) }.isEmpty)
    await shared.end()
  }

  @Test func `Nothing leaves of a conversation that is removed before the server has it`()
    async throws
  {
    try await ben.service.setAirplane(true)
    let (model, id) = (NewConversationViewModel(ben.data), UUID())
    let people = [ann.service.session.userID]
    #expect(await model.create(id, named: "Secret crew", with: people))
    let file = try await ben.sendPhoto("m1", in: id.uuidString)
    try await ben.data.deleteConversation(id: id.uuidString)
    #expect(try await ben.data.fetchConversations().map(\.id) == ["c1"])
    #expect(try await ben.row("m1") == nil)
    let (manager, account) = (ben.manager, AccountModel(ben.service))
    await waitUntil { manager.pendingMessageCount == 0 }
    let other = try await ben.sendPhoto("m2", Array("other".utf8))
    try await ben.service.setAirplane(false)
    try await ann.waitForFile(other)
    try await ben.wait(for: "m2") { $0.isSynced }
    #expect(wire.conversations == ["c1"])
    #expect(wire.messageIDs == ["m2"] && !wire.hasSeen(file))
    await waitUntil { account.unsentCount == 0 }
    await shared.end()
  }

  // MARK: - Access

  @Test func `A photo reaches members alone, not invited accounts or removed members`()
    async throws
  {
    let eve = try await ChatDevice(of: "eve", on: shared.server)
    let files = [
      try await ben.sendPhoto("m1"), try await ben.sendPhoto("m2", Array("thumbnail".utf8)),
    ]
    for file in files { try await ann.waitForFile(file) }
    let members = try ann.members(of: "c1")
    await members.load()
    #expect(await members.invite(as: .editor))
    for file in files {
      #expect(try await !eve.mayDownload(file, from: shared.server))
      #expect(try await ann.mayDownload(file, from: shared.server))
    }
    #expect(try await eve.data.fetchConversations().isEmpty)
    let store = eve.store
    let known = try await store.read { reader in
      try files.filter { try store.refers(to: $0, reader) }
    }
    #expect(known.isEmpty && files.allSatisfy { store.files.url(of: $0) == nil })
    try await ann.store.removeMember(ben.service.session.userID, from: ChatDevice.scope("c1"))
    try await ben.waitForRole(.revoked)
    for file in files {
      #expect(try await !ben.mayDownload(file, from: shared.server))
      while ben.store.files.url(of: file) != nil { await Task.yield() }
    }
    await shared.end(eve)
  }
}

extension ChatDevice {
  /// Queues a message of the user that has only a photo.
  @discardableResult
  fileprivate func sendPhoto(
    _ id: String, _ content: [UInt8] = Array("photo".utf8), in conversation: String = "c1"
  ) async throws -> BlobReference {
    let file = try await store.files.add(content)
    var message = message("", id: id, in: conversation)
    message.imageURL = file.text
    try await manager.queueMessageForSync(message)
    return file
  }

  fileprivate func waitForFile(_ file: BlobReference) async throws {
    let values = store.values { [store] in try store.status(of: file, $0) }
    for try await status in values where status == .here { return }
  }

  /// Returns whether the server sends a file to the account.
  fileprivate func mayDownload(_ file: BlobReference, from server: LoopbackServer) async throws
    -> Bool
  {
    let token = try await store.setting("accountToken")
    let client = ServerClient(HTTPTransport(server.url))
    do throws(ServerClient.Failure) {
      try await client.send(ServerClient.Request("GET", "v1/blobs/\(file.hash)"), token: token)
      return true
    } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
  }
}
