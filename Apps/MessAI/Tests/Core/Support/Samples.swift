import Foundation

@testable import MessAI

extension Date {
  /// Returns a time by the number of seconds after a fixed one, in the year 2027.
  static func at(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: 1_800_000_000 + seconds)
  }
}

extension Message {
  /// Creates a message of a conversation.
  static func sample(
    _ id: String, _ text: String = "Hello", in conversation: String = "c1",
    from sender: String = "ben", at seconds: Double = 0, status: MessageStatus = .sent
  ) -> Message {
    Message(
      id: id, conversationId: conversation, senderId: sender, text: text, sentAt: .at(seconds),
      status: status)
  }
}

extension Conversation {
  /// Creates a conversation without messages.
  static func sample(
    _ id: String = "c1", with members: [String] = ["ann", "ben"], createdBy creator: String = "ann",
    at seconds: Double = 0
  ) -> Conversation {
    Conversation(
      id: id, participantIds: members, isGroup: members.count > 2, lastMessage: "",
      lastMessageAt: .at(seconds), createdBy: creator, createdAt: .at(seconds))
  }
}
