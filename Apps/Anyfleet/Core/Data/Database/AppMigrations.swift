import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation

/// The migrations of a file of Anyfleet, in their order. Released migrations never change.
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

  /// `checklistID` has no foreign key, because the checklist may not be on this device yet. The
  /// table is not STRICT, because such tables have no type `DATETIME`.
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

  // MARK: - Charters

  /// Each new index contains all columns that select and sort a list of charters.
  static let addArchiveToCharters: SQL = """
    ALTER TABLE charters ADD COLUMN isArchived INTEGER NOT NULL DEFAULT 0
      CHECK (isArchived IN (0, 1));
    DROP INDEX idx_charters_startDate;
    DROP INDEX idx_charters_endDate;
    CREATE INDEX idx_charters_start ON charters (isArchived, startDate, id, endDate);
    CREATE INDEX idx_charters_end ON charters (isArchived, endDate, id, startDate);
    """

  /// Adds the search text of charters. A damaged column of a row is left out of its text.
  @Sendable static func addSearchTextToCharters(_ writer: Writer) throws {
    try SQL("ALTER TABLE charters ADD COLUMN searchText TEXT NOT NULL DEFAULT ''").run(writer)
    for row in try SQL("SELECT rowid FROM charters").all(writer, as: Int64.self) {
      let fields = try ["name", "boatName", "location", "region"].map { column in
        try text(of: column, in: row, writer)
      }
      try SQL(
        "UPDATE charters SET searchText = \(SearchText.joined(fields)) WHERE rowid = \(row)"
      ).run(writer)
    }
  }

  private static func text(of column: String, in row: Int64, _ reader: Reader) throws -> String? {
    do {
      return try SQL("SELECT \(identifier: column) FROM charters WHERE rowid = \(row)")
        .first(reader, as: String?.self) ?? nil
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// `charterID` has no foreign key, because the charter is in another scope than the choice.
  static let createActiveCharters: SQL = """
    CREATE TABLE activeCharters (
      userID TEXT PRIMARY KEY NOT NULL,
      charterID TEXT
    );
    """

  /// Converts the dates of charters from the device's time zone to noon in UTC of the same day.
  ///
  /// Formerly a day was stored as its first instant in the device's time zone, so it became another
  /// day if the time zone changed. Values outside the years 1 to 9999 do not change, and are still
  /// reported as damaged.
  ///
  /// - Parameter calendar: a calendar with the device's time zone.
  static func keepCharterDaysInUTC(shownIn calendar: Calendar, _ writer: Writer) throws {
    for column in ["startDate", "endDate"] {
      let dates = try SQL(
        """
        SELECT rowid, \(identifier: column) FROM charters
        WHERE typeof(\(identifier: column)) = 'real'
          AND \(identifier: column) BETWEEN \(knownDates.lowerBound) AND \(knownDates.upperBound)
        """
      ).all(writer, as: Int64.self, Date.self)
      for (row, date) in dates {
        let day = CalendarDay(civilDayOf: date, in: calendar)
        try SQL(
          """
          UPDATE charters SET \(identifier: column) = \(day.noon),
            syncStatus = iif(syncStatus = 'synced', 'pending', syncStatus)
          WHERE rowid = \(row) AND \(identifier: column) <> \(day.noon)
          """
        ).run(writer)
      }
    }
  }

  /// The years from 1 to 9999.
  private static let knownDates =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

  // MARK: - Library

  static let createPracticeGuides: SQL = """
    CREATE TABLE practiceGuides (
      id TEXT PRIMARY KEY NOT NULL,
      title TEXT NOT NULL,
      body TEXT NOT NULL DEFAULT '',
      tags TEXT NOT NULL DEFAULT '[]',
      creatorID TEXT NOT NULL,
      createdAt REAL NOT NULL,
      updatedAt REAL NOT NULL
    );
    """

  static let createFlashcards: SQL = """
    CREATE TABLE flashcardDecks (
      id TEXT PRIMARY KEY NOT NULL,
      title TEXT NOT NULL,
      cards TEXT NOT NULL DEFAULT '[]',
      creatorID TEXT NOT NULL,
      createdAt REAL NOT NULL,
      updatedAt REAL NOT NULL
    );
    CREATE TABLE flashcardProgress (
      id TEXT PRIMARY KEY NOT NULL,
      userID TEXT NOT NULL,
      deckID TEXT NOT NULL REFERENCES flashcardDecks(id) ON DELETE CASCADE ON UPDATE CASCADE,
      cardID TEXT NOT NULL,
      knownCount INTEGER NOT NULL DEFAULT 0,
      dueAt DATETIME NOT NULL,
      lastUpdated DATETIME NOT NULL
    );
    CREATE INDEX idx_flashcardProgress_deck ON flashcardProgress (deckID, userID);
    """

  /// `checklistID` has no foreign key, because the checklist may not be on this device.
  static let createCharterChecklists: SQL = """
    CREATE TABLE charterChecklists (
      id TEXT PRIMARY KEY NOT NULL,
      charterID TEXT NOT NULL REFERENCES charters(id) ON DELETE CASCADE ON UPDATE CASCADE,
      checklistID TEXT NOT NULL,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      description TEXT,
      sections TEXT NOT NULL DEFAULT '[]',
      creatorID TEXT NOT NULL,
      createdAt REAL NOT NULL,
      updatedAt REAL NOT NULL
    );
    CREATE INDEX idx_charterChecklists_charter ON charterChecklists (charterID, position);
    """

  /// Adds a snapshot of each checklist with progress in a charter, in the order of the first
  /// progress.
  ///
  /// The library's row is copied without decoding, so a damaged checklist is damaged in both
  /// places, and reported. Progress is skipped if its checklist is missing in the library, or if
  /// its ids are not UUIDs.
  @Sendable static func snapshotBegunChecklists(_ writer: Writer) throws {
    let begun = try SQL(
      """
      SELECT state.charterID, state.checklistID,
        row_number() OVER (PARTITION BY state.charterID ORDER BY state.createdAt, state.id) - 1
      FROM checklistExecutionStates AS state
      JOIN checklists ON checklists.id = state.checklistID
      WHERE typeof(state.charterID) = 'text' AND typeof(state.checklistID) = 'text'
      """
    ).all(writer, as: String.self, String.self, Int.self)
    for (charter, checklist, position) in begun {
      guard let charterID = UUID(uuidString: charter), let checklistID = UUID(uuidString: checklist)
      else { continue }
      let id = CharterChecklist.id(charterID: charterID, checklistID: checklistID)
      try SQL(
        """
        INSERT INTO charterChecklists (id, charterID, checklistID, position, title, description,
          sections, creatorID, createdAt, updatedAt)
        SELECT \(id), \(charter), id, \(position), title, description, sections, creatorID, createdAt,
          updatedAt
        FROM checklists WHERE id = \(checklist)
        """
      ).run(writer)
    }
  }
}
