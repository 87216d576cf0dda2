public import Foundation

/// A text to read up on: how to moor stern-to, what to do about a fouled anchor.
public struct PracticeGuide: Identifiable, Equatable, Hashable, Sendable {
  /// How many characters a text may have.
  public static let maximumBodyLength = 20_000
  /// How many tags there may be.
  public static let maximumTagCount = 10
  /// How many characters a tag may have.
  public static let maximumTagLength = 30

  public var id: UUID
  public var title: String
  /// The text in a subset of Markdown.
  public var body: String
  public var tags: [String]
  /// Who made it: the session's user.
  public var creatorID: UUID
  public var createdAt: Date
  public var updatedAt: Date

  /// Creates a guide.
  public init(
    id: UUID, title: String, body: String, tags: [String] = [], creatorID: UUID,
    createdAt: Date = Date(), updatedAt: Date? = nil
  ) {
    self.id = id
    self.title = title
    self.body = body
    self.tags = tags
    self.creatorID = creatorID
    self.createdAt = createdAt
    self.updatedAt = updatedAt ?? createdAt
  }
}
