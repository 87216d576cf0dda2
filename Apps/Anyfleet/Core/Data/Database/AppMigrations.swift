import Foundation
import Offshore

/// All steps that a file of Anyfleet has gone through. What was released never changes.
enum AppMigrations {
  static let all: Migrations = [
    Migration("v1.0.0_createInitialSchema") { try createInitialSchema.run($0) },
    Migration("v1.1.0_createLibrarySchema") { try createLibrarySchema.run($0) },
    Migration("v1.2.0_createChecklistExecutionSchema") { try createExecutionSchema.run($0) },
    Migration("v1.3.0_createItemNotesAndSettings") { try createItemNotesAndSettings.run($0) },
    Migration("v1.4.0_addArchiveToCharters") { try addArchiveToCharters.run($0) },
    Migration("v1.5.0_addSearchTextToCharters", addSearchTextToCharters),
    Migration("v1.6.0_createPracticeGuides") { try createPracticeGuides.run($0) },
    Migration("v1.7.0_createFlashcards") { try createFlashcards.run($0) },
    Migration("v1.8.0_createCharterChecklists") { try createCharterChecklists.run($0) },
    Migration("v1.9.0_snapshotBegunChecklists", snapshotBegunChecklists),
    Migration("v1.10.0_createActiveCharters") { try createActiveCharters.run($0) },
    Migration("v1.11.0_keepCharterDaysInUTC") { writer in
      try keepCharterDaysInUTC(shownIn: .autoupdatingCurrent, writer)
    },
  ]

  private static let createInitialSchema: SQL = """
    CREATE TABLE charters (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      boatName TEXT,
      location TEXT,
      region TEXT,
      startDate REAL NOT NULL,
      endDate REAL NOT NULL,
      createdAt REAL NOT NULL,
      checkInChecklistID TEXT,
      guests INTEGER NOT NULL DEFAULT 6 CHECK (guests BETWEEN 1 AND 12),
      crew TEXT NOT NULL DEFAULT '[]',
      budget TEXT,
      syncStatus TEXT NOT NULL DEFAULT 'pending'
    );
    CREATE INDEX idx_charters_startDate ON charters (startDate);
    CREATE INDEX idx_charters_endDate ON charters (endDate);
    """

  private static let createLibrarySchema: SQL = """
    CREATE TABLE checklists (
      id TEXT PRIMARY KEY NOT NULL,
      title TEXT NOT NULL,
      description TEXT,
      sections TEXT NOT NULL DEFAULT '[]',
      creatorID TEXT NOT NULL,
      createdAt REAL NOT NULL,
      updatedAt REAL NOT NULL
    );
    CREATE INDEX idx_checklists_creator ON checklists (creatorID);
    """

  /// The checklist may be unknown here yet, so that column refers to nothing. `DATETIME` is no type
  /// of a STRICT table.
  private static let createExecutionSchema: SQL = """
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

  private static let createItemNotesAndSettings: SQL = """
    CREATE TABLE checklistItemNotes (
      id TEXT PRIMARY KEY NOT NULL,
      checklistID TEXT NOT NULL,
      charterID TEXT NOT NULL REFERENCES charters(id) ON DELETE CASCADE ON UPDATE CASCADE,
      itemID TEXT NOT NULL,
      note TEXT,
      issue TEXT,
      lastUpdated DATETIME NOT NULL
    );
    CREATE INDEX idx_itemNotes_charter ON checklistItemNotes (charterID, checklistID);
    CREATE TABLE settings (
      name TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL
    );
    """
}
