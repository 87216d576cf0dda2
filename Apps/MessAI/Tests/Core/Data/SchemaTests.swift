import Foundation
import Offshore
import OffshoreSync
import OffshoreTesting
import OffshoreWire
import Testing

@testable import MessAI

/// The tables of a new file, and what of them is synced.
struct SchemaTests {
  private let fixture: LocalFixture

  init() async throws { fixture = try await LocalFixture() }

  /// Returns the columns of a table as SQLite has them.
  private func columns(_ table: String) async throws -> Set<String> {
    Set(
      try await fixture.texts(
        """
        SELECT name || ' ' || type || iif("notnull", ' NOT NULL', '')
          || coalesce(' DEFAULT ' || iif(dflt_value = '0.0', '0', dflt_value), '')
          || iif(pk, ' KEY', '')
        FROM pragma_table_info(\(table)) ORDER BY cid
        """))
  }

  /// Returns the columns of each index of a table.
  private func indexes(_ table: String) async throws -> [[String]] {
    let schema = try await fixture.data.store.read { try Schema($0) }
    return try #require(schema.table(table)).indexes.map(\.columns)
  }

  private func references(_ table: String) async throws -> Set<String> {
    Set(
      try await fixture.texts(
        """
        SELECT "from" || ' ' || "table" || ' ' || on_delete FROM pragma_foreign_key_list(\(table))
        """))
  }

  // MARK: - Tables

  @Test func `The table of messages has the specified columns`() async throws {
    let specified: Set = [
      "id TEXT NOT NULL KEY", "conversationId TEXT NOT NULL", "senderId TEXT NOT NULL",
      "text TEXT NOT NULL", "imageURL TEXT", "sentAt REAL NOT NULL", "replyToId TEXT",
      "deliveredAt REAL", "readAt REAL", "status TEXT NOT NULL DEFAULT 'sent'",
      "isSynced INTEGER NOT NULL DEFAULT 0", "syncAttempts INTEGER NOT NULL DEFAULT 0",
      "lastSyncError TEXT", "needsSync INTEGER NOT NULL DEFAULT 0",
    ]
    #expect(try await specified.subtracting(columns("messages")) == [])
    #expect(try await references("messages") == ["conversationId conversations CASCADE"])
    let indexes = try await indexes("messages")
    for columns in [["conversationId"], ["isSynced"], ["conversationId", "sentAt"]] {
      #expect(indexes.contains(columns))
    }
  }

  @Test func `The table of conversations has the specified columns`() async throws {
    let specified: Set = [
      "id TEXT NOT NULL KEY", "isGroup INTEGER NOT NULL DEFAULT 0", "groupName TEXT",
      "createdBy TEXT NOT NULL", "createdAt REAL NOT NULL",
      "participantIds TEXT NOT NULL DEFAULT '[]'", "lastMessage TEXT NOT NULL DEFAULT ''",
      "lastMessageAt REAL NOT NULL DEFAULT 0", "unreadCount INTEGER NOT NULL DEFAULT 0",
    ]
    #expect(try await specified.subtracting(columns("conversations")) == [])
    #expect(try await indexes("conversations").contains(["lastMessageAt"]))
  }

  @Test func `The table of receipts has the specified columns`() async throws {
    let names = Set(try await columns("receipts").map { $0.prefix { $0 != " " } })
    #expect(
      names == [
        "id", "conversationId", "messageId", "userId", "state", "deliveredAt", "readAt",
      ])
    #expect(
      try await references("receipts") == [
        "conversationId conversations CASCADE", "messageId messages CASCADE",
      ])
  }

  @Test func `The declared tables agree with the file`() async throws {
    let records: [any Record.Type] = [ConversationRow.self, MessageRow.self, ReceiptRow.self]
    let schema = try await fixture.data.store.read { try Schema($0) }
    #expect(schema.differences(from: records).map { "\($0)" } == [])
  }

  // MARK: - Syncing

  @Test func `Columns of this device are never sent`() throws {
    let manifest = try MessAISchema.current.manifest
    func synced(_ table: String) -> Set<String> {
      Set(manifest[table]?.columns.map(\.name) ?? [])
    }
    #expect(synced("conversations") == ["isGroup", "groupName", "createdBy", "createdAt"])
    #expect(
      synced("messages") == [
        "conversationId", "senderId", "text", "imageURL", "thumbnailURL", "sentAt", "replyToId",
      ])
    #expect(
      synced("receipts") == [
        "conversationId", "messageId", "userId", "state", "deliveredAt", "readAt",
      ])
  }

  @Test func `Receipts move forward, and their earlier times stay`() throws {
    let receipts = try #require(try MessAISchema.current.manifest["receipts"])
    #expect(receipts["state"]?.policy == .ordered(["delivered", "read"]))
    #expect(receipts["deliveredAt"]?.policy == .min && receipts["readAt"]?.policy == .min)
    #expect(receipts.idSource == ["messageId", "userId"])
  }

  @Test func `Messages and receipts are of their authors, and conversations of their owners`()
    throws
  {
    let manifest = try MessAISchema.current.manifest
    #expect(manifest["conversations"]?.writers == .owners)
    #expect(manifest["messages"]?.writers == .author("senderId"))
    #expect(manifest["receipts"]?.writers == .author("userId"))
    #expect(manifest.claimableKinds == ["conversation"])
    #expect(manifest.admittingKinds == ["conversation"])
  }
}
