import OffshoreFiles
import OffshorePresentation

/// Records in memory, for tests and previews.
public actor InMemoryRepository: PersistenceRepository {
  private var content = ScheduleContent()
  private let stamp: ChangeStamp
  private let signals = ChangeSignals()

  /// Creates a repository with records. Of several with one id, the first is used.
  public init(
    shiftTypes: [ShiftType] = [], locations: [Location] = [], shifts: [ScheduledShift] = []
  ) {
    self.init(ChangeStamp(), shiftTypes, locations, shifts)
  }

  package init(
    _ stamp: ChangeStamp, _ shiftTypes: [ShiftType] = [], _ locations: [Location] = [],
    _ shifts: [ScheduledShift] = []
  ) {
    self.stamp = stamp
    content.shiftTypes.appendNew(shiftTypes)
    content.locations.appendNew(locations)
    content.shifts.appendNew(shifts)
  }

  public func loadShiftTypes() -> [ShiftType] { Array(content.shiftTypes) }
  public func loadLocations() -> [Location] { Array(content.locations) }
  public func loadShifts() -> [ScheduledShift] { Array(content.shifts) }
  // NB: Without `async throws`, an async caller would call the function of the protocol's extension.
  public func loadChanges() async throws -> [ScheduleChange] { content.changes }

  public func saveShiftTypes(_ shiftTypes: [ShiftType]) throws {
    try change { try $0.replace(by: shiftTypes, stamp) }
  }

  public func saveLocations(_ locations: [Location]) throws {
    try change { try $0.replace(by: locations, stamp) }
  }

  public func saveShifts(_ shifts: [ScheduledShift]) throws {
    try change { try $0.replace(by: shifts, stamp) }
  }

  public func perform(_ change: RecordChange) async throws {
    try self.change { try change.make(in: &$0, stamp) }
  }

  private func change(_ body: (inout ScheduleContent) throws -> Void) throws {
    var content = content
    try body(&content)
    self.content = content
    signals.notify()
  }

  public nonisolated func signals(of kind: RecordKind) -> AsyncStream<Void>? {
    signals.stream()
  }
}

extension ElementList {
  /// Appends the elements whose ids are not in the list.
  fileprivate mutating func appendNew(_ elements: [Element]) {
    for element in elements where index(id: element.id) == nil { upsert(element) }
  }
}
