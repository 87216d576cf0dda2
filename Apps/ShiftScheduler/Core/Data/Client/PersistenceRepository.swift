public import Foundation
public import OffshoreCalendar
public import OffshoreFiles
package import OffshorePresentation

/// A place at which the locations, shift types and shifts of a user are stored.
///
/// A type that has the first six functions conforms. The others are made of these, unless an engine does
/// better. Missing collections are empty.
///
/// An engine keeps a ``ScheduleChange`` of each change that differs, in the same commit, up to
/// the newest 500. Each function throws the error of the engine, such as `FileError` or `DatabaseError`.
public protocol PersistenceRepository: Sendable {
  func loadShiftTypes() async throws -> [ShiftType]
  /// Replaces all shift types, except those that another process has added since this repository was last
  /// loaded. So do the other functions that save a collection.
  func saveShiftTypes(_ shiftTypes: [ShiftType]) async throws
  func loadLocations() async throws -> [Location]
  func saveLocations(_ locations: [Location]) async throws
  func loadShifts() async throws -> [ScheduledShift]
  func saveShifts(_ shifts: [ScheduledShift]) async throws

  /// Loads the shifts that start in a range of days.
  func loadShifts(in days: ClosedRange<CalendarDay>) async throws -> [ScheduledShift]
  /// Replaces the shift with the same id, or appends the shift. So do the other functions that save a record.
  func saveShift(_ shift: ScheduledShift) async throws
  /// Deletes the shift with an id, if there is one. So do the other functions that delete a record.
  func deleteShift(id: ScheduledShift.ID) async throws
  func saveShiftType(_ shiftType: ShiftType) async throws
  func deleteShiftType(id: ShiftType.ID) async throws
  func saveLocation(_ location: Location) async throws
  func deleteLocation(id: Location.ID) async throws

  /// Makes edits, all or none.
  /// - Throws: ``EditRefusal`` if a record is not as an edit found it.
  func apply(_ edits: [ScheduleEdit]) async throws
  /// Loads the changes that are kept, the oldest first; empty if there is no log.
  func loadChanges() async throws -> [ScheduleChange]

  /// Changes records in one commit. The functions that change single records are made of it.
  func perform(_ change: RecordChange) async throws
  /// Returns a signal at once, and after each change of the records of a kind, also by others; `nil` if changes
  /// by others are not noticed.
  func signals(of kind: RecordKind) -> AsyncStream<Void>?
}

/// A kind of stored records. The value is the name of their file.
public enum RecordKind: String, CaseIterable, Sendable {
  case shiftTypes = "shift_types.json"
  case locations = "locations.json"
  case shifts = "shifts.json"
  case changes = "changes.json"
}

/// A change of single records.
public typealias RecordChange = ElementChange<ScheduleEdit>

// MARK: - Functions made of others

extension PersistenceRepository {
  public func loadShifts(in days: ClosedRange<CalendarDay>) async throws -> [ScheduledShift] {
    try await loadShifts().filter { days.contains($0.date) }
  }

  public func saveShift(_ shift: ScheduledShift) async throws {
    try await perform(.save(shift))
  }

  public func deleteShift(id: ScheduledShift.ID) async throws {
    try await perform(.delete(id, ScheduledShift.self))
  }

  public func saveShiftType(_ shiftType: ShiftType) async throws {
    try await perform(.save(shiftType))
  }

  public func deleteShiftType(id: ShiftType.ID) async throws {
    try await perform(.delete(id, ShiftType.self))
  }

  public func saveLocation(_ location: Location) async throws {
    try await perform(.save(location))
  }

  public func deleteLocation(id: Location.ID) async throws {
    try await perform(.delete(id, Location.self))
  }

  public func apply(_ edits: [ScheduleEdit]) async throws { try await perform(.apply(edits)) }

  public func loadChanges() async throws -> [ScheduleChange] { [] }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? { nil }

  public func perform(_ change: RecordChange) async throws {
    var before = ScheduleContent()
    for type in change.types {
      switch type {
      case is Location.Type: before[Location.self] = try await ElementList(loadLocations())
      case is ShiftType.Type: before[ShiftType.self] = try await ElementList(loadShiftTypes())
      default: before[ScheduledShift.self] = try await ElementList(loadShifts())
      }
    }
    var after = before
    try after.perform(change)
    let (locations, types) = (after[Location.self], after[ShiftType.self])
    let shifts = after[ScheduledShift.self]
    if locations != before[Location.self] { try await saveLocations(Array(locations)) }
    if types != before[ShiftType.self] { try await saveShiftTypes(Array(types)) }
    if shifts != before[ScheduledShift.self] { try await saveShifts(Array(shifts)) }
  }
}

extension EntryProblem: AppErrorConvertible {
  package var asAppError: AppError {
    switch self {
    case .missing: .validation(.missingRequiredFields)
    case .tooLong(let field, let maximum): .validation(.tooLong(field: field, maximum: maximum))
    case .notOneSymbol: .validation(.tooLong(field: "symbol", maximum: 1))
    case .overtimeOutOfRange: .validation(.outOfRange(field: "overtimeMinutes"))
    }
  }
}
