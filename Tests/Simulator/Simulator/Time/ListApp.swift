import Offshore
import OffshoreSync
import OffshoreWire

/// The app of timed schedules: lists, each a scope that belongs to the account that creates it.
struct ListApp: Sendable {
  let schema: SyncSchema
  let replica: Replica

  /// The app, created once for all schedules.
  static let shared = Result { try ListApp() }

  private init() throws {
    schema = try SyncSchema(
      version: 1,
      SyncTable(TodoList.self, scope: .kind(ListApp.kind, \.id)),
      SyncTable(TodoItem.self, scope: .kind(ListApp.kind, \.listID)),
      claimableKinds: [ListApp.kind])
    replica = try Replica(schema)
  }

  /// The kind of the scopes.
  static let kind = "list"

  /// The initial file of the app's devices.
  var template: FileTemplate {
    FileTemplate(
      name: "lists", creation: [TodoList.creation, TodoItem.creation], replica: replica)
  }
}

/// A list.
struct TodoList: Record {
  let id: String
  let title: String

  static let table = Table(
    "lists", TodoList.init, Column("id", \.id).primaryKey(), Column("title", \.title))

  static let creation: SQL = """
    CREATE TABLE lists (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)
    """
}

/// An item of a list.
struct TodoItem: Record {
  let id: String
  let listID: String
  let title: String

  static let table = Table(
    "items", TodoItem.init,
    Column("id", \.id).primaryKey(),
    Column("listID", \.listID).references("lists", onDelete: .cascade), Column("title", \.title))

  static let creation: SQL = """
    CREATE TABLE items (
      id TEXT PRIMARY KEY NOT NULL, listID TEXT NOT NULL REFERENCES lists ON DELETE CASCADE,
      title TEXT NOT NULL)
    """
}
