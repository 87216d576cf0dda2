public import Foundation
public import OffshoreCalendar
public import OffshorePresentation

/// The storage as features use it: closures over a ``PersistenceRepository``.
///
/// Any closure may be left out. One that is used nevertheless reports its name through
/// `DependencyValues.reportUnset`, such as `persistence.saveLocations`, and does nothing else.
public struct PersistenceClient: Sendable {
  public typealias Load<Value> = @Sendable () async throws -> Value
  public typealias Change<Value> = @Sendable (Value) async throws -> Void
  /// Returns the stored value, and each later one, also those that other processes store.
  public typealias Observe<Value> = @Sendable () -> AsyncStream<Value>
  public typealias Days = ClosedRange<CalendarDay>

  public var loadShiftTypes: Load<[ShiftType]>
  public var saveShiftTypes: Change<[ShiftType]>
  public var loadLocations: Load<[Location]>
  public var saveLocations: Change<[Location]>
  public var loadShifts: Load<[ScheduledShift]>
  public var saveShifts: Change<[ScheduledShift]>
  /// Loads the shifts that start in a range of days.
  public var loadShiftsIn: @Sendable (Days) async throws -> [ScheduledShift]
  public var saveShift: Change<ScheduledShift>
  public var deleteShift: Change<ScheduledShift.ID>
  public var saveShiftType: Change<ShiftType>
  public var deleteShiftType: Change<ShiftType.ID>
  public var saveLocation: Change<Location>
  public var deleteLocation: Change<Location.ID>
  /// Makes edits, all or none; throws ``EditRefusal`` if a record is not as an edit found it.
  public var apply: Change<[ScheduleEdit]>
  public var loadChanges: Load<[ScheduleChange]>
  public var observeShiftTypes: Observe<[ShiftType]>
  public var observeLocations: Observe<[Location]>
  public var observeShifts: Observe<[ScheduledShift]>
  public var observeChanges: Observe<[ScheduleChange]>
  /// Observes the shifts that start in a range of days.
  public var observeShiftsIn: @Sendable (Days) -> AsyncStream<[ScheduledShift]>

  /// Creates a client of closures.
  public init(
    loadShiftTypes: Load<[ShiftType]>? = nil,
    saveShiftTypes: Change<[ShiftType]>? = nil,
    loadLocations: Load<[Location]>? = nil,
    saveLocations: Change<[Location]>? = nil,
    loadShifts: Load<[ScheduledShift]>? = nil,
    saveShifts: Change<[ScheduledShift]>? = nil,
    loadShiftsIn: (@Sendable (Days) async throws -> [ScheduledShift])? = nil,
    saveShift: Change<ScheduledShift>? = nil,
    deleteShift: Change<ScheduledShift.ID>? = nil,
    saveShiftType: Change<ShiftType>? = nil,
    deleteShiftType: Change<ShiftType.ID>? = nil,
    saveLocation: Change<Location>? = nil,
    deleteLocation: Change<Location.ID>? = nil,
    apply: Change<[ScheduleEdit]>? = nil,
    loadChanges: Load<[ScheduleChange]>? = nil,
    observeShiftTypes: Observe<[ShiftType]>? = nil,
    observeLocations: Observe<[Location]>? = nil,
    observeShifts: Observe<[ScheduledShift]>? = nil,
    observeChanges: Observe<[ScheduleChange]>? = nil,
    observeShiftsIn: (@Sendable (Days) -> AsyncStream<[ScheduledShift]>)? = nil
  ) {
    self.loadShiftTypes = loadShiftTypes ?? { Self.unset("loadShiftTypes", []) }
    self.saveShiftTypes = saveShiftTypes ?? { _ in Self.unset("saveShiftTypes", ()) }
    self.loadLocations = loadLocations ?? { Self.unset("loadLocations", []) }
    self.saveLocations = saveLocations ?? { _ in Self.unset("saveLocations", ()) }
    self.loadShifts = loadShifts ?? { Self.unset("loadShifts", []) }
    self.saveShifts = saveShifts ?? { _ in Self.unset("saveShifts", ()) }
    self.loadShiftsIn = loadShiftsIn ?? { _ in Self.unset("loadShiftsIn", []) }
    self.saveShift = saveShift ?? { _ in Self.unset("saveShift", ()) }
    self.deleteShift = deleteShift ?? { _ in Self.unset("deleteShift", ()) }
    self.saveShiftType = saveShiftType ?? { _ in Self.unset("saveShiftType", ()) }
    self.deleteShiftType = deleteShiftType ?? { _ in Self.unset("deleteShiftType", ()) }
    self.saveLocation = saveLocation ?? { _ in Self.unset("saveLocation", ()) }
    self.deleteLocation = deleteLocation ?? { _ in Self.unset("deleteLocation", ()) }
    self.apply = apply ?? { _ in Self.unset("apply", ()) }
    self.loadChanges = loadChanges ?? { Self.unset("loadChanges", []) }
    self.observeShiftTypes = observeShiftTypes ?? { Self.unset("observeShiftTypes", .finished) }
    self.observeLocations = observeLocations ?? { Self.unset("observeLocations", .finished) }
    self.observeShifts = observeShifts ?? { Self.unset("observeShifts", .finished) }
    self.observeChanges = observeChanges ?? { Self.unset("observeChanges", .finished) }
    self.observeShiftsIn = observeShiftsIn ?? { _ in Self.unset("observeShiftsIn", .finished) }
  }

  /// Loads the shifts that start in a range of days.
  public func loadShifts(in days: Days) async throws -> [ScheduledShift] {
    try await loadShiftsIn(days)
  }

  /// Reports the use of a closure that was left out, and returns a value in its place.
  @Sendable private static func unset<Value>(_ name: String, _ value: Value) -> Value {
    DependencyValues.unset("persistence.\(name)", value)
  }
}

// MARK: - Clients of repositories

extension PersistenceClient {
  /// Creates a client of a repository.
  ///
  /// If the repository does not notice changes by others, the client observes those that are made by it.
  public init(repository: any PersistenceRepository) {
    let own = ChangeSignals()
    func changing<Value: Sendable>(_ change: @escaping Change<Value>) -> Change<Value> {
      { value in
        try await change(value)
        own.notify()
      }
    }
    @Sendable func observing<Value: Equatable & Sendable>(
      _ kind: RecordKind, _ load: @escaping Load<Value>
    ) -> AsyncStream<Value> {
      AsyncStream(loadedAfter: repository.signals(of: kind) ?? own.stream(), load)
    }
    self.init(
      loadShiftTypes: { try await repository.loadShiftTypes() },
      saveShiftTypes: changing { try await repository.saveShiftTypes($0) },
      loadLocations: { try await repository.loadLocations() },
      saveLocations: changing { try await repository.saveLocations($0) },
      loadShifts: { try await repository.loadShifts() },
      saveShifts: changing { try await repository.saveShifts($0) },
      loadShiftsIn: { try await repository.loadShifts(in: $0) },
      saveShift: changing { try await repository.saveShift($0) },
      deleteShift: changing { try await repository.deleteShift(id: $0) },
      saveShiftType: changing { try await repository.saveShiftType($0) },
      deleteShiftType: changing { try await repository.deleteShiftType(id: $0) },
      saveLocation: changing { try await repository.saveLocation($0) },
      deleteLocation: changing { try await repository.deleteLocation(id: $0) },
      apply: changing { try await repository.apply($0) },
      loadChanges: { try await repository.loadChanges() },
      observeShiftTypes: { observing(.shiftTypes) { try await repository.loadShiftTypes() } },
      observeLocations: { observing(.locations) { try await repository.loadLocations() } },
      observeShifts: { observing(.shifts) { try await repository.loadShifts() } },
      observeChanges: { observing(.changes) { try await repository.loadChanges() } },
      observeShiftsIn: { days in
        observing(.shifts) { try await repository.loadShifts(in: days) }
      })
  }

  /// The client of the files in the app's data folder.
  public static let liveValue = PersistenceClient(repository: JSONFilePersistenceRepository())

  /// The client without any closure.
  public static let testValue = PersistenceClient()

  /// A client with sample records in memory.
  public static let previewValue = mock(
    shiftTypes: PreviewData.shiftTypes, locations: PreviewData.locations,
    shifts: PreviewData.shifts)

  /// Returns a client with records in memory.
  public static func mock(
    shiftTypes: [ShiftType] = [], locations: [Location] = [], shifts: [ScheduledShift] = []
  ) -> PersistenceClient {
    PersistenceClient(
      repository: InMemoryRepository(
        shiftTypes: shiftTypes, locations: locations, shifts: shifts))
  }
}

// MARK: - Dependency

private enum PersistenceKey: DependencyKey {
  static var liveValue: PersistenceClient { .liveValue }
  static var previewValue: PersistenceClient { .previewValue }
  static var testValue: PersistenceClient? { .testValue }
}

extension DependencyValues {
  /// The storage of locations, shift types and shifts.
  public var persistence: PersistenceClient {
    get { self[PersistenceKey.self] }
    set { self[PersistenceKey.self] = newValue }
  }
}
