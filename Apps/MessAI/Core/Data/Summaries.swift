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
  static func update(_ conversationId: String, _ writer: Writer) throws {
    let id: SQL = "c.id"
    try SQL(
      """
      UPDATE conversations SET unreadCount = s.unread, lastMessage = s.text, lastMessageAt = s.sentAt
      FROM (
        SELECT (\(unreadCount(id))) AS unread,
          coalesce((\(last("text", id))),
            iif(EXISTS (SELECT 1 FROM messages WHERE conversationId = c.id), '', lastMessage)) AS text,
          coalesce((\(last("sentAt", id))), lastMessageAt) AS sentAt
        FROM conversations c WHERE c.id = \(conversationId)) s
      WHERE id = \(conversationId) AND (unreadCount <> s.unread OR lastMessage <> s.text
        OR lastMessageAt <> s.sentAt)
      """
    ).run(writer)
  }
}
