import Foundation
import Offshore

/// The rows that each version of the app stored.
struct VersionRows {
  var charter = UUID()
  var checklist = UUID()
  var user = UUID()

  /// For each version, the rows that earlier ones did not store: at least one in each new table.
  var statements: [[SQL]] {
    [
      [
        """
        INSERT INTO charters (id, name, boatName, startDate, endDate, createdAt)
        VALUES (\(charter), 'Kornati', 'Šárka', 802440000, 803044800.5, 789000000)
        """
      ],
      [
        """
        INSERT INTO checklists (id, title, sections, creatorID, createdAt, updatedAt)
        VALUES (\(checklist), 'Check-in', '[]', \(user), 789000000, 789000000)
        """
      ],
      [
        """
        INSERT INTO checklistExecutionStates (id, checklistID, charterID, createdAt, lastUpdated)
        VALUES (\(UUID()), \(checklist), \(charter), '2026-06-06 08:00:00.000',
          '2026-06-06 08:30:00.250')
        """
      ],
      [
        """
        INSERT INTO checklistItemNotes (id, checklistID, charterID, itemID, note, lastUpdated)
        VALUES (\(UUID()), \(checklist), \(charter), \(UUID()), 'Torn', '2026-06-06 08:30:00.250')
        """,
        "INSERT INTO settings VALUES ('userID', \(user))",
      ],
      ["UPDATE charters SET isArchived = 1"],
      ["UPDATE charters SET searchText = 'kornati'"],
      [
        """
        INSERT INTO practiceGuides (id, title, creatorID, createdAt, updatedAt)
        VALUES (\(UUID()), 'Anchoring', \(user), 789000000, 789000000)
        """
      ],
      decks,
      // In a file that begins with this version, the snapshot exists before the step that makes
      // others.
      [
        """
        INSERT INTO charterChecklists (id, charterID, checklistID, position, title, creatorID,
          createdAt, updatedAt)
        VALUES (\(UUID()), \(charter), \(UUID()), 7, 'Other', \(user), 789000000, 789000000)
        """
      ],
      [],
      ["INSERT INTO activeCharters VALUES (\(user), \(charter))"],
      [],
    ]
  }

  private var decks: [SQL] {
    let deck = UUID()
    return [
      """
      INSERT INTO flashcardDecks (id, title, creatorID, createdAt, updatedAt)
      VALUES (\(deck), 'Lights', \(user), 789000000, 789000000)
      """,
      """
      INSERT INTO flashcardProgress (id, userID, deckID, cardID, dueAt, lastUpdated)
      VALUES (\(UUID()), \(user), \(deck), \(UUID()), '2026-06-06 08:30:00.250',
        '2026-06-06 08:30:00.250')
      """,
    ]
  }
}
