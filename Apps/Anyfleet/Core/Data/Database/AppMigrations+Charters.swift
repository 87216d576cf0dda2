import Foundation
import Offshore
import OffshoreCalendar

/// The steps that charters went through after the first version.
extension AppMigrations {
  /// The new indexes have all that a list of charters is selected and sorted by.
  static let addArchiveToCharters: SQL = """
    ALTER TABLE charters ADD COLUMN isArchived INTEGER NOT NULL DEFAULT 0
      CHECK (isArchived IN (0, 1));
    DROP INDEX idx_charters_startDate;
    DROP INDEX idx_charters_endDate;
    CREATE INDEX idx_charters_start ON charters (isArchived, startDate, id, endDate);
    CREATE INDEX idx_charters_end ON charters (isArchived, endDate, id, startDate);
    """

  /// Charters get what a search looks through. A row that is damaged there gets what can be read.
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
        .one(reader, as: String?.self) ?? nil
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// The choice is of another scope than the charter, so that column refers to nothing.
  static let createActiveCharters: SQL = """
    CREATE TABLE activeCharters (
      userID TEXT PRIMARY KEY NOT NULL,
      charterID TEXT
    );
    """

  /// Charters keep the days that a device showed, as the instants that stand for them.
  ///
  /// Before, days were those of the device's time zone, each kept as its first moment, and were other
  /// days after a flight. What is no date of a known year stays as it is, to be reported as before.
  ///
  /// - Parameter calendar: the calendar in whose time zone the device is.
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
}
