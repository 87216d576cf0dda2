public import Foundation
public import OffshoreCalendar
import OffshoreFiles
public import OffshorePresentation

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
public enum RecordChange: Sendable {
  case saveShift(ScheduledShift)
  case deleteShift(ScheduledShift.ID)
  case saveShiftType(ShiftType)
  case deleteShiftType(ShiftType.ID)
  case saveLocation(Location)
  case deleteLocation(Location.ID)
  case apply([ScheduleEdit])
}

// MARK: - Functions made of others

extension PersistenceRepository {
  public func loadShifts(in days: ClosedRange<CalendarDay>) async throws -> [ScheduledShift] {
    try await loadShifts().filter { days.contains($0.date) }
  }

  public func saveShift(_ shift: ScheduledShift) async throws {
    try await perform(.saveShift(shift))
  }

  public func deleteShift(id: ScheduledShift.ID) async throws {
    try await perform(.deleteShift(id))
  }

  public func saveShiftType(_ shiftType: ShiftType) async throws {
    try await perform(.saveShiftType(shiftType))
  }

  public func deleteShiftType(id: ShiftType.ID) async throws {
    try await perform(.deleteShiftType(id))
  }

  public func saveLocation(_ location: Location) async throws {
    try await perform(.saveLocation(location))
  }

  public func deleteLocation(id: Location.ID) async throws {
    try await perform(.deleteLocation(id))
  }

  public func apply(_ edits: [ScheduleEdit]) async throws { try await perform(.apply(edits)) }

  public func loadChanges() async throws -> [ScheduleChange] { [] }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? { nil }

  public func perform(_ change: RecordChange) async throws {
    let kinds = change.kinds
    var before = ScheduleContent()
    if kinds.contains(.locations) { before.locations = try await ElementList(loadLocations()) }
    if kinds.contains(.shiftTypes) { before.shiftTypes = try await ElementList(loadShiftTypes()) }
    if kinds.contains(.shifts) { before.shifts = try await ElementList(loadShifts()) }
    var after = before
    try change.make(in: &after, ChangeStamp())
    if after.locations != before.locations { try await saveLocations(Array(after.locations)) }
    if after.shiftTypes != before.shiftTypes { try await saveShiftTypes(Array(after.shiftTypes)) }
    if after.shifts != before.shifts { try await saveShifts(Array(after.shifts)) }
  }
}

/// The error of edits that were not made, because records have changed meanwhile.
public struct EditRefusal: Error, Equatable, Sendable {
  /// Each edit that does not fit, with the value that it found in place of the one before, and with the stored
  /// value in place of the one after.
  public let differences: [ScheduleEdit]
}

extension EditRefusal: AppErrorConvertible {
  public var asAppError: AppError { .sync(.conflict) }
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
