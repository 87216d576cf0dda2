import Foundation
import Offshore
public import OffshoreCalendar
import OffshoreFiles
import OffshorePresentation
import OffshoreSync
import Synchronization

/// Records in the rows of a database. Only rows that differ are written.
public final class DatabaseRepository: PersistenceRepository {
  package let database: ShiftDatabase
  private let stamp: ChangeStamp
  /// The ids of the records that the user knows, by the name of their table: those that were loaded last, and
  /// those that the user has saved since.
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
    try await store.read { try ScheduledShift.rows(in: days).all($0).map(\.element) }
  }

  public func loadChanges() async throws -> [ScheduleChange] {
    try await store.read { try ChangeRow.log.all($0).map(\.change) }
  }

  private func load<Element: StoredElement>() async throws -> [Element] {
    didLoad(try await store.read { try ScheduleWriter.rows(Element.self, $0) }.map(\.element))
  }

  private func didLoad<Element: StoredElement>(_ elements: [Element]) -> [Element] {
    known.withLock { $0[Element.rows.name] = Set(elements.map(\.id)) }
    return elements
  }

  public func saveShiftTypes(_ elements: [ShiftType]) async throws { try await replace(elements) }
  public func saveLocations(_ elements: [Location]) async throws { try await replace(elements) }
  public func saveShifts(_ elements: [ScheduledShift]) async throws { try await replace(elements) }

  private func replace<Element: StoredElement>(_ elements: [Element]) async throws {
    // As the files do, it refuses two elements with one id.
    _ = try ElementList(elements)
    let known = known.withLock { $0[Element.rows.name] }
    try await store.write { [stamp] in
      var records = try ScheduleWriter($0)
      try records.replace(by: elements, known: known, stamp)
    }
    _ = didLoad(elements)
  }

  public func perform(_ change: RecordChange) async throws {
    let made = try await store.write { [stamp] writer in
      var records = try ScheduleWriter(writer)
      try change.make(in: &records, stamp)
      return records.made
    }
    known.withLock { known in
      for edit in made {
        guard let id = edit.recordID else { continue }
        _ = known[edit.table]?.insert(id)
      }
    }
  }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    switch kind {
    case .shiftTypes: signals(of: StoredRow<ShiftType>.self)
    case .locations: signals(of: StoredRow<Location>.self)
    case .shifts: signals(of: StoredRow<ScheduledShift>.self)
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

extension ScheduleEdit {
  /// The name of the record's table.
  fileprivate var table: String {
    switch self {
    case .location: Location.rows.name
    case .shiftType: ShiftType.rows.name
    case .shift: ScheduledShift.rows.name
    }
  }
}
