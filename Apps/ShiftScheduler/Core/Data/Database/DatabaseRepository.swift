import Foundation
import Offshore
public import OffshoreCalendar
import OffshoreFiles
import OffshoreSync
import Synchronization

/// Records in the rows of a database. Only rows that differ are written.
public final class DatabaseRepository: PersistenceRepository {
  package let database: ShiftDatabase
  private let stamp: ChangeStamp
  /// The ids of the records that the user knows, by the name of their table: those that were loaded last, with
  /// the user's own changes since.
  private let known = Mutex<[String: Set<UUID>]>([:])

  private var store: SyncedStore { database.store }

  /// Creates a repository of a database.
  public convenience init(database: ShiftDatabase) { self.init(database, ChangeStamp()) }

  package init(_ database: ShiftDatabase, _ stamp: ChangeStamp) {
    (self.database, self.stamp) = (database, stamp)
  }

  // MARK: - Collections

  public func loadShiftTypes() async throws -> [ShiftType] { try await load() }
  public func loadLocations() async throws -> [Location] { try await load() }
  public func loadShifts() async throws -> [ScheduledShift] { try await load() }

  public func loadShifts(in days: ClosedRange<CalendarDay>) async throws -> [ScheduledShift] {
    try await store.read { try ShiftRow.starting(in: days).all($0).map(\.element) }
  }

  public func loadChanges() async throws -> [ScheduleChange] {
    try await store.read { try ChangeRow.log.all($0).map(\.change) }
  }

  private func load<Element: StoredElement>() async throws -> [Element] {
    didLoad(try await store.read { try ScheduleWriter.rows(Element.Row.self, $0) }.map(\.element))
  }

  private func didLoad<Element: StoredElement>(_ elements: [Element]) -> [Element] {
    known.withLock { $0[Element.Row.table.name] = Set(elements.map(\.id)) }
    return elements
  }

  public func saveShiftTypes(_ elements: [ShiftType]) async throws { try await replace(elements) }
  public func saveLocations(_ elements: [Location]) async throws { try await replace(elements) }
  public func saveShifts(_ elements: [ScheduledShift]) async throws { try await replace(elements) }

  private func replace<Element: StoredElement>(_ elements: [Element]) async throws {
    // As the files do, it refuses two elements with one id.
    _ = try ElementList(elements)
    let known = known.withLock { $0[Element.Row.table.name] }
    try await store.write { [stamp] in
      try ScheduleWriter($0).replace(by: elements, known: known, stamp)
    }
    _ = didLoad(elements)
  }

  public func perform(_ change: RecordChange) async throws {
    try await store.write { [stamp] writer in
      var records = try ScheduleWriter(writer)
      try change.make(in: &records, stamp)
    }
    switch change {
    case .saveShift(let shift): know(shift)
    case .saveShiftType(let type): know(type)
    case .saveLocation(let location): know(location)
    case .apply(let edits):
      for edit in edits {
        if case .shift(_, let after?, _) = edit { know(after) }
        if case .shiftType(_, let after?, _) = edit { know(after) }
        if case .location(_, let after?, _) = edit { know(after) }
      }
    case .deleteShift, .deleteShiftType, .deleteLocation: break
    }
  }

  private func know<Element: StoredElement>(_ element: Element) {
    known.withLock { _ = $0[Element.Row.table.name]?.insert(element.id) }
  }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    switch kind {
    case .shiftTypes: signals(of: ShiftTypeRow.self)
    case .locations: signals(of: LocationRow.self)
    case .shifts: signals(of: ShiftRow.self)
    case .changes: signals(of: ChangeRow.self)
    }
  }

  /// Returns a signal after each commit that changes rows.
  private func signals<Row: Record>(of type: Row.Type) -> AsyncStream<Void> {
    // Each fetch has another value, so that each commit is delivered, and reads all columns.
    let fetches = Mutex(0)
    return AsyncStream(
      following: store.values { reader in
        _ = try Row.all.limit(1).all(reader)
        return fetches.withLock { count in
          count += 1
          return count
        }
      })
  }
}
