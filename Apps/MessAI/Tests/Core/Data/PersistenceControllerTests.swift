import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import MessAI

/// Opening the file of MessAI.
struct PersistenceControllerTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("messai.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func content() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  // MARK: - Places

  @Test func `Data in memory is of its controller alone`() async throws {
    let (first, second) = (
      LocalDataManager(try PersistenceController(inMemory: true)),
      LocalDataManager(try PersistenceController(inMemory: true))
    )
    try await first.saveMessage(.sample("m1"))
    #expect(try await first.fetchMessages(conversationId: "c1").map(\.id) == ["m1"])
    #expect(try await second.fetchMessages(conversationId: "c1") == [])
  }

  @Test func `What a returned call has saved is in the file when it is opened again`() async throws
  {
    let message = Message.sample("m1", "Fair winds")
    let first = LocalDataManager(try PersistenceController(path: path))
    try await first.saveConversation(.sample("c1"))
    try await first.saveMessage(message)
    await first.controller.store.close()
    let second = LocalDataManager(try PersistenceController(path: path))
    #expect(try await second.fetchMessages(conversationId: "c1") == [message])
    #expect(try await second.fetchConversations().map(\.lastMessage) == ["Fair winds"])
    await second.controller.store.close()
  }

  @Test func `Two controllers of one file see each other's messages`() async throws {
    let first = LocalDataManager(try PersistenceController(path: path))
    let second = LocalDataManager(try PersistenceController(path: path))
    try await first.saveMessage(.sample("m1"))
    #expect(try await second.fetchMessages(conversationId: "c1").map(\.id) == ["m1"])
    try await second.saveMessage(.sample("m2", at: 1))
    #expect(try await first.fetchMessages(conversationId: "c1").map(\.id) == ["m1", "m2"])
    await first.controller.store.close()
    await second.controller.store.close()
  }

  // MARK: - Files that are refused

  @Test func `A file of a newer version is refused and stays as it is`() async throws {
    let controller = try PersistenceController(path: path)
    try await LocalDataManager(controller).saveMessage(.sample("m1"))
    await controller.store.close()
    let connection = try Connection(path)
    try connection.write {
      try SQL("INSERT INTO _migrations (name, position) VALUES ('v9.0.0_later', 99)").run($0)
    }
    connection.close()
    let before = try content()
    #expect(throws: AppError.database(.newerVersion)) { try PersistenceController(path: path) }
    #expect(try content() == before)
  }

  @Test func `A file of another app is refused and stays as it is`() async throws {
    let other = try SyncedStore(
      path,
      schema: StoreSchema(
        migrations: [Migration("v1_trips", .sql("CREATE TABLE trips (id TEXT)"))]))
    await other.close()
    let before = try content()
    #expect(throws: AppError.self) { try PersistenceController(path: path) }
    #expect(try content() == before)
  }

  @Test func `A text file is refused and stays as it is`() throws {
    let text = Data(String(repeating: "This is a letter. ", count: 500).utf8)
    try text.write(to: URL(filePath: path))
    #expect(throws: AppError.self) { try PersistenceController(path: path) }
    #expect(try content() == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["messai.sqlite"])
  }

  @Test func `An impossible path is an error that the app can show`() {
    #expect(throws: AppError.database(.readFailed)) {
      try PersistenceController(path: folder.file("none/messai.sqlite"))
    }
  }

  // MARK: - The preview

  @Test func `The preview has ten sent messages of two users, a minute apart`() async throws {
    let controller = try PersistenceController.preview
    let data = LocalDataManager(controller)
    let messages = try await data.fetchMessages(conversationId: "preview-conversation")
    #expect(messages.count == 10)
    #expect(messages.allSatisfy { $0.status == .sent && !$0.text.isEmpty })
    #expect(Set(messages.map(\.senderId)) == ["user1", "user2"])
    for (message, next) in zip(messages, messages.dropFirst()) {
      #expect(next.sentAt.timeIntervalSince(message.sentAt) == 60)
    }
    let conversations = try await data.fetchConversations()
    #expect(conversations.map(\.id) == ["preview-conversation"])
    #expect(conversations.first?.participantIds == ["user1", "user2"])
    #expect(conversations.first?.lastMessage == messages.last?.text)
    #expect(conversations.first?.lastMessageAt == messages.last?.sentAt)
    #expect(try await data.fetchUnsyncedMessages() == [])
    #expect(try PersistenceController.preview === controller)
  }
}
