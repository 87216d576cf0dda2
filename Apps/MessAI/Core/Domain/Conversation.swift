public import Foundation

/// A conversation of two people or a group.
public struct Conversation: Identifiable, Hashable, Sendable {
  /// The maximum number of characters of a group's name.
  public static let nameLimit = 80

  /// The id: 1 to 200 visible ASCII characters. A new one is random, because the account that writes to
  /// it first owns it.
  public let id: String
  /// The user ids of the members, this user included.
  public var participantIds: [String]
  /// Whether it is a group, which has a name.
  public var isGroup: Bool
  /// The name of a group, or `nil`.
  public var groupName: String?
  /// The text of the last message; empty if there is none, or if that is an image without a text.
  public var lastMessage: String
  /// The time of the last message.
  public var lastMessageAt: Date
  /// The user id of the account that created it.
  public var createdBy: String
  /// The time of its creation.
  public var createdAt: Date
  /// The number of messages of others that this user has read on no device.
  public var unreadCount: Int

  /// Creates a conversation.
  public init(
    id: String, participantIds: [String], isGroup: Bool, groupName: String? = nil,
    lastMessage: String, lastMessageAt: Date, createdBy: String, createdAt: Date,
    unreadCount: Int = 0
  ) {
    self.id = id
    self.participantIds = participantIds
    self.isGroup = isGroup
    self.groupName = groupName
    self.lastMessage = lastMessage
    self.lastMessageAt = lastMessageAt
    self.createdBy = createdBy
    self.createdAt = createdAt
    self.unreadCount = unreadCount
  }
}

extension Conversation {
  /// Checks the ids and the name.
  func check() throws(Message.Problem) {
    for id in [id, createdBy] + participantIds where !Message.isValid(id: id) { throw .invalidID }
    guard (groupName ?? "").count <= Self.nameLimit else { throw .nameTooLong }
  }
}
