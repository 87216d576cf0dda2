import Foundation
import MessAI
import OffshoreSync

/// Conversations of two people and their messages, made from numbers.
///
/// The messages of all conversations are interleaved, as they arrive in an app.
struct NumberedConversation: Sendable {
  /// The number of conversations.
  let count: Int
  /// The number of messages of all conversations, the same in each.
  let messageCount: Int

  private static let people = [
    "0A1B2C3D-0000-4000-8000-00000000000A", "0A1B2C3D-0000-4000-8000-00000000000B",
  ]
  private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
  /// The number of latest messages in each conversation that are not read.
  private static let unreadCount = 5
  /// The number of them that the other person has written, so that they are unread for the account.
  static let unreadOfOther = 3

  /// Opens a file of the account that belongs to the first of the two people, as in an app that is signed in:
  /// what the person writes is captured, and the columns that follow from the queue are derived.
  static func open(_ path: String) async throws -> LocalDataManager {
    let manager = LocalDataManager(try PersistenceController(path: path))
    guard let id = UUID(uuidString: people[0]) else { return manager }
    try await manager.store.link(LinkedAccount(id: id, name: "ann"), token: nil)
    return manager
  }

  /// Returns the id of a conversation.
  func id(_ number: Int) -> String { Self.id(UInt64(number), 0x4000) }

  /// Returns the id of a message. The order of ids differs from that of messages.
  func messageID(_ number: Int) -> String { Self.id(UInt64(number), 0x4111) }

  /// Returns the number of a message.
  /// - Parameter place: the place in the conversation, from 0.
  func message(at place: Int, in conversation: Int) -> Int { place * count + conversation }

  /// Returns a conversation.
  func conversation(_ number: Int) -> Conversation {
    Conversation(
      id: id(number), participantIds: Self.people, isGroup: false, lastMessage: "",
      lastMessageAt: Self.start, createdBy: Self.people[0], createdAt: Self.start)
  }

  /// Returns a message, a second after the one before.
  func message(_ number: Int) -> Message {
    let isRead = number < messageCount - Self.unreadCount * count
    let sentAt = Self.start.addingTimeInterval(Double(number))
    return Message(
      id: messageID(number), conversationId: id(number % count),
      senderId: Self.people[number / count % 2], text: text(number), sentAt: sentAt,
      deliveredAt: isRead ? sentAt : nil, readAt: isRead ? sentAt : nil,
      status: isRead ? .read : .sent)
  }

  /// Returns a message that the account has written, and that waits.
  func ownMessage(_ number: Int) -> Message {
    var message = message(number)
    message.senderId = Self.people[0]
    (message.status, message.deliveredAt, message.readAt) = (.sending, nil, nil)
    return message
  }

  /// Returns a text: a word of every message, words of every second, tenth and 50,000th, and six of
  /// 20,000 words, whose first two letters are evenly distributed.
  private func text(_ number: Int) -> String {
    var words = ["every"]
    if Self.mix(UInt64(number)).isMultiple(of: 2) { words.append("often") }
    if number % 10 == 3 { words.append("tenth") }
    if number % 11 == 5 { words.append("eleventh") }
    if number % 50_000 == 77 { words.append("zanzibar") }
    for place in 0..<6 {
      words.append(Self.word(Int(Self.mix(UInt64(number * 8 + place)) % 20_000)))
    }
    return words.joined(separator: " ")
  }

  private static func word(_ number: Int) -> String {
    let letters = [number % 26, number / 26 % 26].map { Character(UnicodeScalar(97 + UInt8($0))) }
    return String(letters) + "or\(number)"
  }

  private static func id(_ number: UInt64, _ kind: UInt64) -> String {
    let (high, low) = (mix(number &* 31 &+ kind), mix(number &* 17 &+ kind))
    let bytes = withUnsafeBytes(of: (high, low)) { Array($0) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      )
    ).uuidString
  }

  /// SplitMix64, see <https://prng.di.unimi.it/splitmix64.c>.
  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
