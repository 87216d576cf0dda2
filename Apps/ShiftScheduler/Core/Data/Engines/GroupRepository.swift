package import OffshoreFiles
import OffshorePresentation

/// A repository whose records are a group of collections, as those of every engine are.
package protocol GroupRepository: PersistenceRepository {
  /// The records and their changes.
  var group: any CollectionGroup<ScheduleChange> { get }
}

extension GroupRepository {
  public func loadShiftTypes() async throws -> [ShiftType] { try await group.load(ShiftType.self) }
  public func loadLocations() async throws -> [Location] { try await group.load(Location.self) }
  public func loadShifts() async throws -> [ScheduledShift] {
    try await group.load(ScheduledShift.self)
  }
  public func loadChanges() async throws -> [ScheduleChange] { try await group.loadChanges() }

  public func saveShiftTypes(_ shiftTypes: [ShiftType]) async throws {
    try await group.replaceLoaded(shiftTypes)
  }

  public func saveLocations(_ locations: [Location]) async throws {
    try await group.replaceLoaded(locations)
  }

  public func saveShifts(_ shifts: [ScheduledShift]) async throws {
    try await group.replaceLoaded(shifts)
  }

  public func perform(_ change: RecordChange) async throws { try await group.perform(change) }

  public func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    switch kind {
    case .shiftTypes: AsyncStream(following: group.signals(of: ShiftType.self))
    case .locations: AsyncStream(following: group.signals(of: Location.self))
    case .shifts: AsyncStream(following: group.signals(of: ScheduledShift.self))
    case .changes: AsyncStream(following: group.changeSignals())
    }
  }
}
