import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

@testable import MessAI

/// The files of released versions.
///
/// `OFFSHORE_RECORD=1 swift test --filter MessAITests.MigrationTests` writes the schema of a version that
/// is not released yet. A released one never changes.
struct MigrationTests {
  private static let versions = ["1.0.0", "1.1.0"]
  private static let isRecording = ProcessInfo.processInfo.environment["OFFSHORE_RECORD"] != nil

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func file(_ version: String) -> URL {
    URL(filePath: #filePath).appending(path: "../../../../Schemas/\(version).sql").standardized
  }

  private static func snapshot(_ version: String) throws -> SchemaSnapshot {
    SchemaSnapshot(try String(contentsOf: file(version), encoding: .utf8))
  }

  /// Inserts rows as a version does.
  private static func fill(_ version: String, _ writer: Writer) throws {
    try SQL(
      """
      INSERT INTO conversations (id, createdBy, createdAt) VALUES ('c1', 'ann', 800000000)
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO messages (id, conversationId, senderId, text, sentAt)
      VALUES ('m1', 'c1', 'ann', 'Fair winds', 800000000.25)
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO receipts (id, conversationId, messageId, userId, state, deliveredAt)
      VALUES ('r1', 'c1', 'm1', 'ben', 'delivered', 800000001)
      """
    ).run(writer)
    guard version != "1.0.0" else { return }
    try SQL("INSERT INTO heldReceipts (id, conversationId, isNew) VALUES ('r1', 'c1', 1)")
      .run(writer)
  }

  @Test(arguments: Array(versions.enumerated()).map { ($0.offset + 1, $0.element) })
  func `Each migration creates the schema of its release`(_ count: Int, _ version: String)
    async throws
  {
    let migrations = Migrations(Array(MessAIMigrations.all.prefix(count)))
    let database = try Database.temporary(migrations: migrations)
    let made = try await database.read { try SchemaSnapshot($0) }
    if Self.isRecording, version == Self.versions.last {
      let folder = Self.file(version).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try made.text.write(to: Self.file(version), atomically: true, encoding: .utf8)
    }
    #expect(made == (try Self.snapshot(version)))
  }

  @Test func `Files of every released version are migrated to the declared schema`() throws {
    let snapshots = try Dictionary(
      uniqueKeysWithValues: Self.versions.map { ($0, try Self.snapshot($0)) })
    let problems = try MigrationProof(
      Migrations(MessAIMigrations.all),
      records: [ConversationRow.self, MessageRow.self, ReceiptRow.self, HeldReceipt.self]
    ).problems(startingFrom: snapshots, in: folder.path, fill: Self.fill)
    #expect(problems == [])
  }

  @Test func `The migrations have the names that files record`() {
    #expect(
      MessAIMigrations.all.map(\.name) == [
        "v1.0.0_createConversations", "v1.1.0_createHeldReceipts",
      ])
  }
}
