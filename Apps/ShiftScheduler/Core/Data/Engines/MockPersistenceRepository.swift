package import OffshoreFiles

/// Records in memory that can fail to load and save, for tests.
public actor MockPersistenceRepository: GroupRepository {
  /// The errors of a repository that fails.
  public enum MockError: Error, Equatable {
    case loadFailed, saveFailed
  }

  /// Whether each function fails.
  public private(set) var shouldThrowError = false
  private let failing: FailingGroup<ScheduleChange>

  package nonisolated var group: any CollectionGroup<ScheduleChange> { failing }

  /// Creates a repository with records.
  public init(
    shiftTypes: [ShiftType] = [], locations: [Location] = [], shifts: [ScheduledShift] = [],
    shouldThrowError: Bool = false
  ) {
    let memory = InMemoryRepository(shiftTypes: shiftTypes, locations: locations, shifts: shifts)
    failing = FailingGroup(memory.group)
    self.shouldThrowError = shouldThrowError
    Self.set(shouldThrowError, failing)
  }

  /// Sets whether each function fails.
  public func setShouldThrowError(_ value: Bool) {
    shouldThrowError = value
    Self.set(value, failing)
  }

  private static func set(_ isFailing: Bool, _ group: FailingGroup<ScheduleChange>) {
    group.failure = { access in
      guard isFailing else { return nil }
      return access == .load ? MockError.loadFailed : MockError.saveFailed
    }
  }
}
