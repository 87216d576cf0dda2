import Offshore
public import OffshoreCalendar
package import OffshoreFiles
import OffshoreSync

/// Records in the rows of a database. Only rows that differ are written.
public final class DatabaseRepository: GroupRepository {
  package let database: ShiftDatabase
  package let group: any CollectionGroup<ScheduleChange>

  /// Creates a repository of a database.
  public convenience init(database: ShiftDatabase) { self.init(database, ChangeStamp()) }

  package init(_ database: ShiftDatabase, _ stamp: ChangeStamp) {
    self.database = database
    group = TableGroup(
      database.store.database, of: [Location.self, ShiftType.self, ScheduledShift.self],
      stamp: stamp, userID: SyncedStore.userID)
  }

  public func loadShifts(in days: ClosedRange<CalendarDay>) async throws -> [ScheduledShift] {
    try await database.store.read { try ScheduledShift.rows(in: days).all($0).map(\.element) }
  }
}
