/// Records in memory that can fail to load and save, for tests.
public actor MockPersistenceRepository: PersistenceRepository {
  /// The errors of a repository that fails.
  public enum MockError: Error, Equatable {
    case loadFailed, saveFailed
  }

  /// Whether each function fails.
  public private(set) var shouldThrowError: Bool
  private let memory: InMemoryRepository

  /// Creates a repository with records.
  public init(
    shiftTypes: [ShiftType] = [], locations: [Location] = [], shifts: [ScheduledShift] = [],
    shouldThrowError: Bool = false
  ) {
    memory = InMemoryRepository(shiftTypes: shiftTypes, locations: locations, shifts: shifts)
    self.shouldThrowError = shouldThrowError
  }

  /// Sets whether each function fails.
  public func setShouldThrowError(_ value: Bool) { shouldThrowError = value }

  private func check(_ error: MockError) throws { if shouldThrowError { throw error } }

  public func loadShiftTypes() async throws -> [ShiftType] {
    try check(.loadFailed)
    return await memory.loadShiftTypes()
  }

  public func loadLocations() async throws -> [Location] {
    try check(.loadFailed)
    return await memory.loadLocations()
  }

  public func loadShifts() async throws -> [ScheduledShift] {
    try check(.loadFailed)
    return await memory.loadShifts()
  }

  public func loadChanges() async throws -> [ScheduleChange] {
    try check(.loadFailed)
    return try await memory.loadChanges()
  }

  public func saveShiftTypes(_ shiftTypes: [ShiftType]) async throws {
    try check(.saveFailed)
    try await memory.saveShiftTypes(shiftTypes)
  }

  public func saveLocations(_ locations: [Location]) async throws {
    try check(.saveFailed)
    try await memory.saveLocations(locations)
  }

  public func saveShifts(_ shifts: [ScheduledShift]) async throws {
    try check(.saveFailed)
    try await memory.saveShifts(shifts)
  }

  public func perform(_ change: RecordChange) async throws {
    try check(.saveFailed)
    try await memory.perform(change)
  }

  public nonisolated func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    memory.signals(of: kind)
  }
}
