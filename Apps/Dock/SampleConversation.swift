import Foundation
import MessAI
import OffshoreHost
import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// Sample content of MessAI: a conversation of a crew with some messages, which the second phone answers.
@MainActor
struct SampleConversation: Demonstration {
  let app: MessAIDependencies
  /// The language of the messages.
  let language: LanguageSetting

  /// Creates the conversation and its messages if there is none.
  ///
  /// It waits for the rows of the account first, so that a phone whose folder was deleted receives its
  /// conversation again instead of creating a second one. The messages are a minute apart.
  func createContent() async throws {
    try? await app.service.pull()
    let manager = app.localDataManager
    guard try await manager.fetchConversations().isEmpty else { return }
    let userID = app.service.session.userID.uuidString
    let texts = [LocalizedText.ahoy, .keys, .castingOff]
    let start = manager.store.now().addingTimeInterval(-60 * TimeInterval(texts.count))
    let conversation = Conversation(
      id: app.makeID().uuidString, participantIds: [userID], isGroup: true,
      groupName: language.say(.kornatiCrew), lastMessage: "", lastMessageAt: start,
      createdBy: userID, createdAt: start)
    try await manager.saveConversation(conversation)
    for (minute, text) in texts.enumerated() {
      try await write(
        text, in: conversation, at: start.addingTimeInterval(60 * TimeInterval(minute)))
    }
  }

  // MARK: - Demonstration

  func scope() async throws -> ScopeID? {
    try await conversation().flatMap { ScopeID.conversation($0.id) }
  }

  /// Answers, so that the first phone has an unread message. On this phone, the messages from before it joined
  /// count as read.
  func didJoin() async throws {
    guard let conversation = try await conversation() else { return }
    try await write(.onMyWay, in: conversation, at: app.localDataManager.store.now())
  }

  // MARK: - Content

  /// Returns the oldest conversation, which is the sample.
  private func conversation() async throws -> Conversation? {
    try await app.localDataManager.fetchConversations().min { $0.createdAt < $1.createdAt }
  }

  private func write(
    _ text: LocalizedText, in conversation: Conversation, at date: Date
  ) async throws {
    let message = Message(
      id: app.makeID().uuidString, conversationId: conversation.id,
      senderId: app.service.session.userID.uuidString, text: language.say(text), sentAt: date,
      status: .sending)
    try await app.syncManager.queueMessageForSync(message)
  }
}

extension LocalizedText {
  fileprivate static let kornatiCrew = LocalizedText(en: "Kornati crew", ru: "Экипаж в Корнати")
  fileprivate static let ahoy = LocalizedText(
    en: "Ahoy! Alma is ours from today. Who is at the marina already?",
    ru: "Привет! «Альма» с сегодняшнего дня наша. Кто уже в марине?")
  fileprivate static let keys = LocalizedText(
    en: "I have the keys. Pier C, berth 14.", ru: "Ключи у меня. Пирс C, место 14.")
  fileprivate static let castingOff = LocalizedText(
    en: "We cast off at two. The checklist is in Anyfleet.",
    ru: "Отходим в два. Чек-лист — в Anyfleet.")
  fileprivate static let onMyWay = LocalizedText(
    en: "On my way, with bread and figs. See you at the pier!",
    ru: "Еду, везу хлеб и инжир. Увидимся на пирсе!")
}
