import Foundation
import MessAI
import Offshore

/// The file of an account of MessAI with 1,000,000 messages in 1,000 conversations.
///
/// It is created once, in a few minutes, and reused as long as a new file has the same schema.
struct MessagesOnDisk: Sendable {
  static let conversations = NumberedConversation(count: 1_000, messageCount: 1_000_000)

  let manager: LocalDataManager

  /// The version of the content. It changes with ``NumberedConversation``.
  private static let version = 2
  private static let batchSize = 20_000

  /// Opens the file, after creating it if it is missing, incomplete, or has another schema.
  init(in folder: BenchFolder) async throws {
    let root = BenchFolder.root.appending(path: ".build/bench/messages-v\(Self.version)")
    let path = root.appending(path: "messai.sqlite").path(percentEncoded: false)
    if try await !Self.isComplete(path, in: folder) {
      try? FileManager.default.removeItem(at: root)
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      try await Self.fill(NumberedConversation.open(path))
    }
    manager = try await NumberedConversation.open(path)
  }

  private static func isComplete(_ path: String, in folder: BenchFolder) async throws -> Bool {
    guard FileManager.default.fileExists(atPath: path), let found = try? await state(path) else {
      return false
    }
    let empty = folder.file("empty.sqlite")
    let manager = try await NumberedConversation.open(empty)
    defer { withExtendedLifetime(manager) {} }
    let expected = try await state(empty).schema
    return found.schema == expected && found.count == conversations.messageCount
  }

  /// Returns the schema of a file, and its number of messages.
  private static func state(_ path: String) async throws -> (schema: [String], count: Int) {
    let database = try Database(path)
    let state = try await database.read { reader in
      (
        try SQL("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
          .all(reader, as: String.self),
        try SQL("SELECT count(*) FROM messages").first(reader, as: Int.self) ?? 0
      )
    }
    await database.close()
    return state
  }

  private static func fill(_ manager: LocalDataManager) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<conversations.count {
        group.addTask { try await manager.saveConversation(conversations.conversation(number)) }
      }
      try await group.waitForAll()
    }
    for start in stride(from: 0, to: conversations.messageCount, by: batchSize) {
      try await manager.batchSaveMessages(
        (start..<start + batchSize).map { conversations.message($0) })
    }
  }
}
