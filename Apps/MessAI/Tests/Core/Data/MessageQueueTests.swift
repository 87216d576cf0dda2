import Foundation
import OffshorePresentation
import OffshoreSync
import Testing

@testable import MessAI

/// The place of messages in the queue.
struct MessageQueueTests {
  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }

  init() async throws {
    fixture = try await LocalFixture()
    let messages: [(String, Double)] = [("b", 2), ("a", 2), ("c", 1)]
    for (id, time) in messages {
      try await fixture.data.saveMessage(fixture.own(id, at: time), isSynced: false)
    }
    try await fixture.save(.sample("other"))
  }

  @Test func `The messages that the server lacks are in order`() async throws {
    #expect(try await data.fetchUnsyncedMessages().map(\.id) == ["c", "a", "b"])
  }

  @Test func `A message that is marked as synced waits no more`() async throws {
    try await data.incrementSyncAttempts(messageId: "a", error: "refused")
    try await data.markAsSynced(messageId: "a")
    let row = try #require(try await fixture.row("a"))
    #expect(row.isSynced && !row.needsSync && row.syncAttempts == 0 && row.lastSyncError == nil)
    #expect(row.status == .sent)
    #expect(try await data.fetchUnsyncedMessages().map(\.id) == ["c", "b"])
  }

  @Test func `Marking a message as synced moves its status not back`() async throws {
    try await data.updateMessageStatus(id: "a", status: .read)
    try await data.markAsSynced(messageId: "a")
    #expect(try await fixture.message("a")?.status == .read)
  }

  @Test func `At the fifth attempt a message fails and waits for the person`() async throws {
    for attempt in 1...6 {
      try await data.incrementSyncAttempts(messageId: "a", error: "refused \(attempt)")
      let row = try #require(try await fixture.row("a"))
      #expect(row.syncAttempts == attempt && row.lastSyncError == "refused \(attempt)")
      #expect(row.needsSync == (attempt < 5))
      #expect(row.status == (attempt < 5 ? .sending : .failed))
    }
    #expect(try await data.fetchUnsyncedMessages().map(\.id) == ["c", "a", "b"])
    #expect(try await fixture.row("b")?.syncAttempts == 0)
  }

  @Test func `An attempt without an error has none`() async throws {
    try await data.incrementSyncAttempts(messageId: "a", error: "refused")
    try await data.incrementSyncAttempts(messageId: "a")
    let row = try #require(try await fixture.row("a"))
    #expect(row.syncAttempts == 2 && row.lastSyncError == nil)
  }

  @Test func `Only a message that is being sent fails`() async throws {
    try await data.updateMessageStatus(id: "a", status: .delivered)
    for _ in 1...5 { try await data.incrementSyncAttempts(messageId: "a") }
    #expect(try await fixture.message("a")?.status == .delivered)
    #expect(try await fixture.row("a")?.needsSync == false)
  }

  @Test func `A failed message that is sent again begins anew`() async throws {
    for _ in 1...5 { try await data.incrementSyncAttempts(messageId: "a", error: "refused") }
    try await data.updateMessageStatus(id: "a", status: .sending)
    let row = try #require(try await fixture.row("a"))
    #expect(row.status == .sending && row.needsSync && row.syncAttempts == 0)
    #expect(row.lastSyncError == nil)
  }

  @Test func `A message that the server has, has no reason for which it was not sent`()
    async throws
  {
    try await data.incrementSyncAttempts(messageId: "a", error: "refused")
    try await data.updateMessageStatus(id: "a", status: .sent)
    let row = try #require(try await fixture.row("a"))
    #expect(row.isSynced && row.syncAttempts == 0 && row.lastSyncError == nil)
  }

  // MARK: - Errors

  @Test func `Each error has a sentence in both languages, and its cause`() {
    struct Cause: Error {}
    let errors: [PersistenceError] = [
      .messageNotFound, .conversationNotFound, .saveFailed(Cause()), .fetchFailed(Cause()),
      .deleteFailed(Cause()),
    ]
    let english = errors.map { $0.localizedMessage.in(.english) }
    let russian = errors.map { $0.localizedMessage.in(.russian) }
    #expect(Set(english + russian).count == 10)
    #expect(!(english + russian).contains(""))
    #expect(errors.map { $0.cause is Cause } == [false, false, true, true, true])
  }

  @Test func `A closed file fails each kind of call with the cause`() async throws {
    await data.store.close()
    let errors = [
      await persistenceError { try await data.saveMessage(.sample("x")) },
      await persistenceError { try await data.batchSaveMessages([.sample("x")]) },
      await persistenceError { try await data.saveConversation(.sample("x")) },
      await persistenceError { try await data.updateMessageStatus(id: "a", status: .sent) },
      await persistenceError { try await data.markAsSynced(messageId: "a") },
      await persistenceError { try await data.incrementSyncAttempts(messageId: "a") },
      await persistenceError { try await data.fetchMessages(conversationId: "c1") },
      await persistenceError { try await data.fetchConversations() },
      await persistenceError { try await data.fetchUnsyncedMessages() },
      await persistenceError { try await data.searchMessages("hello") },
      await persistenceError { try await data.deleteMessage(id: "a") },
      await persistenceError { try await data.deleteConversation(id: "c1") },
    ]
    #expect(
      errors.map { $0?.logCode } == [
        "saveFailed", "saveFailed", "saveFailed", "saveFailed", "saveFailed", "saveFailed",
        "fetchFailed", "fetchFailed", "fetchFailed", "fetchFailed", "deleteFailed", "deleteFailed",
      ])
    #expect(errors.allSatisfy { $0?.cause != nil })
  }
}
