public import Foundation

/// A message in a conversation.
public struct Message: Identifiable, Hashable, Sendable {
  /// The maximum number of characters of a text.
  public static let textLimit = 20_000

  /// The id: 1 to 200 visible ASCII characters, see ``isValid(id:)``.
  public let id: String
  /// The id of the conversation.
  public var conversationId: String
  /// The user id of the author.
  public var senderId: String
  /// The text: at most ``textLimit`` characters, and empty only beside an image.
  public var text: String
  /// The image: `blob:` and the hash of its content as 64 hexadecimal digits; `nil` without one.
  public var imageURL: String?
  /// The time of writing, by the server's clock as far as the author's device knew it. It never changes.
  public var sentAt: Date
  /// The time at which the last member received the message; `nil` before.
  public var deliveredAt: Date?
  /// The time at which the last member read the message; `nil` before.
  public var readAt: Date?
  /// The progress of the message.
  public var status: MessageStatus
  /// The id of the message that this one answers, or `nil`.
  public var replyToId: String?

  /// Creates a message.
  public init(
    id: String, conversationId: String, senderId: String, text: String, imageURL: String? = nil,
    sentAt: Date, deliveredAt: Date? = nil, readAt: Date? = nil, status: MessageStatus,
    replyToId: String? = nil
  ) {
    self.id = id
    self.conversationId = conversationId
    self.senderId = senderId
    self.text = text
    self.imageURL = imageURL
    self.sentAt = sentAt
    self.deliveredAt = deliveredAt
    self.readAt = readAt
    self.status = status
    self.replyToId = replyToId
  }
}

extension Message {
  /// The reason why a message or a conversation cannot be stored.
  public enum Problem: Error, Hashable, Sendable {
    /// An id does not have 1 to 200 visible ASCII characters.
    case invalidID
    /// There is neither a text nor an image.
    case empty
    /// The text has more than ``Message/textLimit`` characters.
    case tooLong
    /// The name of a group has more than ``Conversation/nameLimit`` characters.
    case nameTooLong
    /// The reference to the image is not `blob:` and a hash.
    case invalidImage
  }

  /// Returns whether a text can be an id: it has 1 to 200 visible ASCII characters.
  public static func isValid(id: String) -> Bool {
    (1...200).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Checks the ids, the text and the reference to the image.
  func check() throws(Problem) {
    for id in [id, conversationId, senderId, replyToId].compactMap(\.self)
    where !Self.isValid(id: id) {
      throw .invalidID
    }
    if let imageURL, !Self.isImage(imageURL) { throw .invalidImage }
    guard imageURL != nil || !text.isEmpty else { throw .empty }
    // A character has at least one byte, so most texts are not counted.
    guard text.utf8.count <= Self.textLimit || text.count <= Self.textLimit else { throw .tooLong }
  }

  private static func isImage(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst(5)
    return text.hasPrefix("blob:") && digits.count == 64
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Returns whether a message comes before another one in a conversation: by ``sentAt``, then by id.
  package static func isOrdered(_ first: Message, before second: Message) -> Bool {
    (first.sentAt, first.id) < (second.sentAt, second.id)
  }
}
