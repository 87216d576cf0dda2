import Foundation
import Offshore
import OffshoreSync
import Testing

@testable import MessAI

/// The indexes by which messages are found, and pages with damaged messages.
struct MessageIndexTests {
  private let data: LocalDataManager

  init() throws { data = LocalDataManager(try PersistenceController(inMemory: true)) }

  private func plan(_ query: Query<MessageRow>) async throws -> String {
    try await data.store.read { try query.explain($0) }
  }

  @Test(arguments: [MessageRow.unsynced, MessageRow.failed, MessageRow.withSyncErrors])
  func `Messages that wait are found by their index, whatever the number of others`(
    query: Query<MessageRow>
  ) async throws {
    let plan = try await plan(query)
    #expect(plan.contains("SEARCH messages USING INDEX idx_messages_synced (isSynced=?)"))
  }

  @Test func `The newest messages of all conversations need no sorting`() async throws {
    let newest = MessageRow.order { [$0.sentAt.descending, $0.id.descending] }.limit(50)
    let plan = try await plan(newest)
    #expect(plan.contains("USING INDEX idx_messages_sent"))
    #expect(!plan.contains("TEMP B-TREE"))
  }

  @Test func `A damaged message shortens no page and no search`() async throws {
    try await data.batchSaveMessages(
      (1...5).map { number in
        Message(
          id: "m\(number)", conversationId: "c", senderId: "s", text: "Hello",
          sentAt: Date(timeIntervalSinceReferenceDate: Double(number)), status: .sent)
      })
    try await data.store.write {
      try SQL("UPDATE messages SET status = 'lost' WHERE id IN ('m2', 'm4')").run($0)
    }
    let last = try await data.fetchMessages(conversationId: "c", before: nil, limit: 2)
    #expect(last.map(\.id) == ["m3", "m5"])
    let earlier = try await data.fetchMessages(conversationId: "c", before: last.first, limit: 2)
    #expect(earlier.map(\.id) == ["m1"])
    let found = try await data.searchMessages("hello", after: nil, limit: 2)
    #expect(found.map(\.id) == ["m5", "m3"])
    let rest = try await data.searchMessages("hello", after: found.last, limit: 2)
    #expect(rest.map(\.id) == ["m1"])
  }
}
