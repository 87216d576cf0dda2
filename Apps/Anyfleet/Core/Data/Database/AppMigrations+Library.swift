import Foundation
import Offshore

/// The steps that brought guides, flashcards, and the snapshots of charters.
extension AppMigrations {
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

  /// The checklist may be unknown here, so that column refers to nothing.
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

  /// Charters get a snapshot of each checklist that has progress in them, in the order in which they
  /// were begun.
  ///
  /// The library's row is copied as it is, so that one that is damaged is damaged here and there, and
  /// reported. Progress on what the library lost, or under ids that are none, has nothing to copy.
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
