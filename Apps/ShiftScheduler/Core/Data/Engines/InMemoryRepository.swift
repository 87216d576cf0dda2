package import OffshoreFiles

/// Records in memory, for tests and previews.
public final class InMemoryRepository: GroupRepository {
  package let group: any CollectionGroup<ScheduleChange>

  /// Creates a repository with records. Of several with one id, the first is used.
  public convenience init(
    shiftTypes: [ShiftType] = [], locations: [Location] = [], shifts: [ScheduledShift] = []
  ) {
    self.init(ChangeStamp(), shiftTypes, locations, shifts)
  }

  package init(
    _ stamp: ChangeStamp, _ shiftTypes: [ShiftType] = [], _ locations: [Location] = [],
    _ shifts: [ScheduledShift] = []
  ) {
    var content = ScheduleContent()
    content[ShiftType.self].appendNew(shiftTypes)
    content[Location.self].appendNew(locations)
    content[ScheduledShift.self].appendNew(shifts)
    group = MemoryGroup(content, stamp: stamp)
  }
}

extension ElementList {
  /// Appends the elements whose ids are not in the list.
  fileprivate mutating func appendNew(_ elements: [Element]) {
    for element in elements where index(id: element.id) == nil { upsert(element) }
  }
}
