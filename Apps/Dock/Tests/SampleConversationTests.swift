import Foundation
import MessAI
import OffshorePresentation
import OffshoreSync
import Testing

@testable import offshore_apps

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SampleConversationTests {
  private func sample(_ language: Language = .english) async throws -> SampleConversation {
    let store = try SyncedStore.temporary(schema: MessAISchema.current)
    return SampleConversation(
      app: try await MessAIDependencies(store, server: nil, networkMonitor: NetworkMonitor()),
      language: try await LanguageSetting.start(
        storedBy: store, languages: [.english, .russian], preferring: language
      ) { .autoupdatingCurrent })
  }

  private func end(_ sample: SampleConversation) async {
    await sample.app.syncManager.stop()
    await sample.app.localDataManager.store.close()
  }

  private func texts(of sample: SampleConversation) async throws -> [String] {
    let manager = sample.app.localDataManager
    let conversation = try #require(try await manager.fetchConversations().first)
    return try await manager.fetchMessages(conversationId: conversation.id).map(\.text)
  }

  @Test func `The conversation is created once, with messages of the past that are to be sent`()
    async throws
  {
    let sample = try await sample()
    #expect(try await sample.scope() == nil)
    try await sample.createContent()
    try await sample.createContent()
    let manager = sample.app.localDataManager
    let conversations = try await manager.fetchConversations()
    #expect(conversations.map(\.groupName) == ["Kornati crew"])
    let scope = try #require(try await sample.scope())
    #expect(scope.value == conversations.first?.id)
    let messages = try await manager.fetchMessages(conversationId: scope.value)
    #expect(messages.count == 3 && messages.allSatisfy { $0.sentAt < .now })
    #expect(messages.first?.text.hasPrefix("Ahoy!") == true)
    #expect(conversations.first?.lastMessage == messages.last?.text)
    #expect(try await manager.fetchUnsyncedMessages() == messages)
    #expect(conversations.first?.unreadCount == 0)
    await end(sample)
  }

  @Test func `A phone that joins answers at the end`() async throws {
    let sample = try await sample()
    try await sample.didJoin()
    #expect(try await sample.app.localDataManager.fetchConversations().isEmpty)
    try await sample.createContent()
    try await sample.didJoin()
    #expect(
      try await texts(of: sample).last == "On my way, with bread and figs. See you at the pier!")
    await end(sample)
  }

  @Test func `The messages are in the language of the device`() async throws {
    let sample = try await sample(.russian)
    try await sample.createContent()
    #expect(try await texts(of: sample).first?.hasPrefix("Привет!") == true)
    await end(sample)
  }
}
