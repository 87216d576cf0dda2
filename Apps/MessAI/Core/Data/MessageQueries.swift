import Offshore

/// The lists of messages: of a conversation, page by page, and of a search.
extension LocalDataManager {
  /// The number of messages of a first page of search results.
  public static let searchPageSize = 50

  /// Returns the messages of a conversation that can be read, in order.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func fetchMessages(conversationId: String) async throws -> [Message] {
    let query = MessageRow.where { $0.conversationId == conversationId && !$0.isHidden }
      .order { $0.sentAt.ascending }
    let messages = try await fetch { try query.readable($0, as: MessageRow.messages) }
    // Sorting here the few messages of the same moment spares SQLite a sort of whole rows.
    let isSorted = messages.indices.dropFirst()
      .allSatisfy { messages[$0 - 1].sentAt < messages[$0].sentAt }
    return isSorted ? messages : messages.sorted(by: Message.isOrdered)
  }

  /// Returns the messages directly before another one, in order.
  /// - Parameters:
  ///   - message: the message after the page, or `nil` for the last page.
  ///   - limit: the maximum number of messages.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func fetchMessages(
    conversationId: String, before message: Message?, limit: Int
  ) async throws -> [Message] {
    var query = MessageRow.latest(in: conversationId)
    if let message { query = query.after(MessageRow(message, isSynced: true)) }
    return try await fetch { [query] in try query.readablePage(of: limit, $0).map(\.message) }
      .reversed()
  }

  /// Returns the messages directly after another one, in order.
  /// - Parameter limit: the maximum number of messages.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func fetchMessages(
    conversationId: String, after message: Message, limit: Int
  ) async throws -> [Message] {
    let query = MessageRow.all(in: conversationId).after(MessageRow(message, isSynced: true))
    return try await fetch { try query.readablePage(of: limit, $0).map(\.message) }
  }

  /// Returns the newest 50 messages of all conversations that have each word of a text, the newest first.
  ///
  /// A word is found by its beginning, regardless of case and diacritics. The text has no operators; one
  /// without words finds nothing.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func searchMessages(_ text: String) async throws -> [Message] {
    try await searchMessages(text, after: nil, limit: Self.searchPageSize)
  }

  /// Returns messages that have each word of a text, the newest first.
  /// - Parameters:
  ///   - message: the message before the page, or `nil` for the first page.
  ///   - limit: the maximum number of messages.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  public func searchMessages(
    _ text: String, after message: Message?, limit: Int
  ) async throws -> [Message] {
    guard TextIndex<MessageRow>.hasWords(text) else { return [] }
    var query = MessageRow.matching(text, in: MessageRow.words, words: .allBegin)
      .where { !$0.isHidden }
      .order { [$0.sentAt.descending, $0.id.descending] }
    if let message { query = query.after(MessageRow(message, isSynced: true)) }
    return try await fetch { [query] in try query.readablePage(of: limit, $0).map(\.message) }
  }
}

extension LocalDataManager {
  /// Returns the id of the first message of a conversation that the user has not read, or `nil`.
  /// - Throws: ``PersistenceError/fetchFailed(_:)``.
  func firstUnreadMessage(in conversationId: String) async throws -> String? {
    let query = MessageRow.all(in: conversationId).where { $0.isUnread }
    return try await fetch { try query.readablePage(of: 1, $0).map(\.id) }.first
  }
}

extension Query {
  /// Reads a page of rows. Those that cannot be read do not make it shorter: a page that is shorter than its
  /// limit is the last one.
  func readablePage(of limit: Int, _ reader: Reader) throws -> ReadableRows<Row> {
    var count = limit
    while true {
      let page = try self.limit(count).readable(reader)
      guard page.count == count, page.rows.count < limit else { return page }
      count = limit + page.unreadable.count
    }
  }
}
