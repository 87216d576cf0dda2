public import Offshore
import OffshoreWire

/// The members who may write the rows of a synced table.
///
/// ```swift
/// SyncTable(Message.self, scope: .kind("chat", \.chatID), writers: .author(\.senderID))
/// ```
///
/// The server refuses the changes of others with the code `forbidden`. A device that knows the role
/// of its account refuses them when they are made: the write throws ``ReplicaError`` with the code
/// `forbidden`, and nothing has changed.
///
/// If a row is deleted, the rows that refer to it are deleted, or their references become NULL, also
/// if the member may not write them.
public struct SyncWriters<Row: Record> {
  enum Kind {
    case members, owners
    case author(PartialKeyPath<Row>)
  }

  let kind: Kind

  /// All members whose role is owner or editor.
  public static var members: Self { Self(kind: .members) }

  /// The members whose role is owner.
  public static var owners: Self { Self(kind: .owners) }

  /// The member whose account id is in a column, if the role is owner or editor. An owner may not
  /// change the rows of other authors.
  ///
  /// The column stores the id as SQLite stores a `UUID`, as a text in capital letters. It is not
  /// NULL, and does not change while the row exists. At the first sign-in the id of the local user
  /// in it becomes that of the account, as in an `owner` column.
  public static func author(_ column: PartialKeyPath<Row>) -> Self { Self(kind: .author(column)) }
}
