import Foundation
import Offshore

/// A record whose table has all that a declaration can say of types, defaults, and constraints.
struct ExecutionState: Equatable, Sendable {
  let id: UUID
  var checklistID: UUID
  var charterID: UUID
  var itemStates: String
  var progressPercentage: Double?
  var createdAt: Date
  var lastUpdated: Date
  var completedAt: Date?
  var syncStatus: String
}

extension ExecutionState: Record {
  static let table = Table(
    "checklistExecutionStates",
    ExecutionState.init(
      id:checklistID:charterID:itemStates:progressPercentage:createdAt:lastUpdated:completedAt:
      syncStatus:),
    Column("id", \.id).primaryKey(),
    Column("checklistID", \.checklistID),
    Column("charterID", \.charterID)
      .references("charters", column: "id", onDelete: .cascade, onUpdate: .cascade),
    Column("itemStates", \.itemStates).default("{}"),
    Column("progressPercentage", \.progressPercentage),
    Column("createdAt", \.createdAt, as: .text).type("DATETIME"),
    Column("lastUpdated", \.lastUpdated, as: .text).type("DATETIME"),
    Column("completedAt", \.completedAt, as: .text).type("DATETIME"),
    Column("syncStatus", \.syncStatus).default("pending")
  ).index(\.checklistID, \.charterID, isUnique: true)
    .index(\.checklistID, name: "idx_executionStates_checklist")
    .index(\.charterID, name: "idx_executionStates_charter")
    .index(\.lastUpdated, name: "idx_executionStates_updated")

  /// The table as a migration of an app makes it, with a constraint in place of a unique index.
  static let creation = """
    CREATE TABLE checklistExecutionStates (
      id TEXT PRIMARY KEY NOT NULL,
      checklistID TEXT NOT NULL,
      charterID TEXT NOT NULL,
      itemStates TEXT NOT NULL DEFAULT '{}',
      progressPercentage REAL,
      createdAt DATETIME NOT NULL,
      lastUpdated DATETIME NOT NULL,
      completedAt DATETIME,
      syncStatus TEXT NOT NULL DEFAULT 'pending',
      UNIQUE(checklistID, charterID),
      FOREIGN KEY (charterID) REFERENCES charters(id) ON DELETE CASCADE ON UPDATE CASCADE
    );
    CREATE INDEX idx_executionStates_charter ON checklistExecutionStates (charterID);
    CREATE INDEX idx_executionStates_checklist ON checklistExecutionStates (checklistID);
    CREATE INDEX idx_executionStates_updated ON checklistExecutionStates (lastUpdated);
    """
}
