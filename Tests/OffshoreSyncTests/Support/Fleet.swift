import Offshore
import OffshoreSync
import OffshoreWire

/// A row that is its own scope.
struct Charter: Record, Equatable {
  let id: String
  var name: String
  static let table = Table(
    "charters", Charter.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  static let creation: SQL =
    "CREATE TABLE charters (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)"
}

/// A row that belongs to a charter, with a column for each policy that sealing treats differently.
struct Task: Record, Equatable {
  let id: String
  var charterID: String
  var title: String
  var note: String?
  var hours: Double?
  var votes: Int
  var items: String?
  var isOpen: Bool

  init(
    id: String, charterID: String, title: String, note: String?, hours: Double?, votes: Int,
    items: String?, isOpen: Bool
  ) {
    self.id = id
    self.charterID = charterID
    self.title = title
    self.note = note
    self.hours = hours
    self.votes = votes
    self.items = items
    self.isOpen = isOpen
  }

  init(_ id: String, in charterID: String = "c1", title: String = "Sails", items: String? = nil) {
    self.init(
      id: id, charterID: charterID, title: title, note: nil, hours: nil, votes: 0, items: items,
      isOpen: true)
  }

  static let table = Table(
    "tasks", Task.init(id:charterID:title:note:hours:votes:items:isOpen:),
    Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID).references("charters", onDelete: .cascade),
    Column("title", \.title),
    Column("note", \.note),
    Column("hours", \.hours),
    Column("votes", \.votes),
    Column("items", \.items),
    Column("isOpen", \.isOpen).default(true))

  /// Returns the statement that inserts a task with a title.
  static func insertion(_ id: String, _ title: String, in charter: String = "c1") -> SQL {
    "INSERT INTO tasks (id, charterID, title, votes) VALUES (\(id), \(charter), \(title), 0)"
  }

  static let creation: SQL = """
    CREATE TABLE tasks (
      id TEXT PRIMARY KEY NOT NULL,
      charterID TEXT NOT NULL REFERENCES charters ON DELETE CASCADE, title TEXT NOT NULL,
      note TEXT, hours REAL, votes INTEGER NOT NULL, items TEXT, isOpen INTEGER NOT NULL DEFAULT 1)
    """
}

extension SyncSchema {
  /// Returns a schema of charters and tasks; a task's `isOpen` is local.
  static func fleet(claimableKinds: Set<String> = []) throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(
        Task.self, scope: .kind("charter", \.charterID),
        .merged(\.votes, .counter), .merged(\.items, .keyed), .local(\.isOpen)),
      claimableKinds: claimableKinds)
  }
}
