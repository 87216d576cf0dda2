import Foundation
import Offshore

/// The columns of a conversation that follow from its messages: the number of unread ones, and the last one.
///
/// A message whose text or time is damaged is never the last one. Without messages, the saved values stay until one
/// was deleted.
enum Summaries {
  /// Returns the number of unread messages of a conversation, as SQL.
  private static func unreadCount(_ id: SQL) -> SQL {
    "SELECT count(*) FROM messages WHERE conversationId = \(id) AND isUnread = 1"
  }

  /// Returns a column of the last message of a conversation, as SQL.
  private static func last(_ column: SQL, _ id: SQL) -> SQL {
    """
    SELECT \(column) FROM messages WHERE conversationId = \(id) AND isHidden = 0
            AND typeof(text) = 'text' AND typeof(sentAt) = 'real'
          ORDER BY sentAt DESC, id DESC LIMIT 1
    """
  }

  /// A trigger that updates the summary when a message is deleted, here or elsewhere.
  static let afterDeletion: SQL = {
    let id: SQL = "old.conversationId"
    return """
      CREATE TRIGGER messages_deleted AFTER DELETE ON messages BEGIN
        UPDATE conversations SET
          unreadCount = (
            \(unreadCount(id))),
          lastMessage = coalesce((
            \(last("text", id))), ''),
          lastMessageAt = coalesce((
            \(last("sentAt", id))), lastMessageAt)
        WHERE id = old.conversationId;
      END
      """
  }()

  /// Updates the summary of a conversation, if it has changed.
  ///
  /// NB: It needs no temporary table, as sorts with a limit and `UPDATE … FROM` do: it runs after each message.
  static func update(_ conversationId: String, _ writer: Writer) throws {
    let id: SQL = "\(conversationId)"
    let unread = unreadCount(id)
    guard let last = try lastMessage(of: id, writer) else {
      let isEmptied: SQL = "EXISTS (SELECT 1 FROM messages WHERE conversationId = \(id))"
      try SQL(
        """
        UPDATE conversations SET unreadCount = (\(unread)),
          lastMessage = iif(\(isEmptied), '', lastMessage)
        WHERE id = \(id) AND (unreadCount <> (\(unread)) OR lastMessage <> '' AND \(isEmptied))
        """
      ).run(writer)
      return
    }
    let text: SQL = "(SELECT text FROM messages WHERE id = \(last))"
    let sentAt: SQL = "(SELECT sentAt FROM messages WHERE id = \(last))"
    try SQL(
      """
      UPDATE conversations SET unreadCount = (\(unread)), lastMessage = \(text), lastMessageAt = \(sentAt)
      WHERE id = \(id) AND (unreadCount <> (\(unread)) OR lastMessage <> \(text)
        OR lastMessageAt <> \(sentAt))
      """
    ).run(writer)
  }

  /// Returns the id of the last message of a conversation; `nil` if there is none.
  private static func lastMessage(of id: SQL, _ reader: Reader) throws -> String? {
    let shown: SQL = "conversationId = \(id) AND isHidden = 0 AND typeof(text) = 'text'"
    return try SQL(
      """
      SELECT max(id) FROM messages WHERE \(shown) AND sentAt = (
        SELECT sentAt FROM messages WHERE \(shown) AND typeof(sentAt) = 'real'
        ORDER BY sentAt DESC LIMIT 1)
      """
    ).first(reader, as: String?.self) ?? nil
  }
}
