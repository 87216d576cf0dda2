import Foundation
import Offshore
import Testing

@testable import MessAI

/// Rows that cannot be read, because another program has written them.
struct DamagedRowsTests {
  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }

  /// Damages one of three messages, and one of two conversations.
  init() async throws {
    fixture = try await LocalFixture()
    try await fixture.data.saveConversation(.sample("c1"))
    try await fixture.data.saveConversation(.sample("c2"))
    try await fixture.save(
      .sample("m1", "Fair one", at: 1), .sample("m2", "Fair two", at: 2),
      .sample("m3", "Fair three", at: 3), .sample("n1", "Fair other", in: "c2", at: 9))
  }

  private func damage(_ message: String) async throws {
    try await fixture.run("UPDATE messages SET status = 'lost' WHERE id = \(message)")
  }

  private func damageConversation() async throws {
    try await fixture.run("UPDATE conversations SET participantIds = '[' WHERE id = 'c2'")
  }

  private var warnings: Int { fixture.lines.count { $0 == "warning row left out" } }

  @Test func `A damaged message is left out of every list and logged`() async throws {
    try await damage("m2")
    #expect(try await fixture.ids() == ["m1", "m3"])
    #expect(warnings == 1)
    let page = try await data.fetchMessages(conversationId: "c1", before: nil, limit: 9)
    #expect(page.map(\.id) == ["m1", "m3"])
    let next = try await data.fetchMessages(conversationId: "c1", after: page[0], limit: 9)
    #expect(next.map(\.id) == ["m3"])
    #expect(warnings == 3)
  }

  @Test func `A damaged message is left out of a search`() async throws {
    try await damage("m2")
    #expect(try await data.searchMessages("fair").map(\.id) == ["n1", "m3", "m1"])
  }

  @Test func `A damaged message is left out of the queue`() async throws {
    for id in ["a", "b"] {
      try await data.saveMessage(fixture.own(id, at: 5), isSynced: false)
    }
    try await damage("a")
    #expect(try await data.fetchUnsyncedMessages().map(\.id) == ["b"])
  }

  @Test func `A damaged conversation is left out and logged`() async throws {
    try await damageConversation()
    #expect(try await data.fetchConversations().map(\.id) == ["c1"])
    #expect(warnings == 1)
    #expect(try await fixture.ids("c2") == ["n1"])
  }

  @Test func `Messages are saved and read beside a damaged one`() async throws {
    try await fixture.run("UPDATE messages SET sentAt = 'yesterday' WHERE id = 'm3'")
    try await fixture.save(.sample("m4", "Fair four", at: 4))
    try await data.updateMessageStatus(id: "m1", status: .read)
    #expect(try await fixture.ids() == ["m1", "m2", "m4"])
  }

  @Test func `Messages of a damaged conversation are saved`() async throws {
    try await damageConversation()
    try await fixture.save(.sample("n2", "Fair again", in: "c2", at: 10))
    #expect(try await fixture.ids("c2") == ["n1", "n2"])
  }

  @Test func `A damaged message can be saved again, and deleted`() async throws {
    try await damage("m2")
    try await fixture.save(.sample("m2", "Fair two", at: 2))
    #expect(try await fixture.ids() == ["m1", "m2", "m3"])
    try await damage("m3")
    try await data.deleteMessage(id: "m3")
    #expect(try await fixture.ids() == ["m1", "m2"])
    #expect(warnings == 0)
  }
}
