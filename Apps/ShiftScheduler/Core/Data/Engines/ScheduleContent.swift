package import Foundation
import OffshoreFiles

/// The time and the id of changes in a log.
package struct ChangeStamp: Sendable {
  private let now: @Sendable () -> Date
  private let makeID: @Sendable () -> UUID

  package init(
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    (self.now, self.makeID) = (now, makeID)
  }

  /// Returns a change with edits, at the current time in whole seconds.
  func change(_ edits: [ScheduleEdit]) -> ScheduleChange {
    let seconds = now().timeIntervalSinceReferenceDate.rounded(.down)
    return ScheduleChange(
      id: makeID(), moment: Date(timeIntervalSinceReferenceDate: seconds), edits: edits)
  }
}

/// The records of an engine inside of one commit.
protocol ScheduleTransaction {
  /// Returns a record with its place, or `nil`.
  func find<Element: StoredElement>(_ id: UUID, as type: Element.Type) throws -> (Element, Int)?
  /// Replaces the record with the same id, or inserts it at a place, by default the last one.
  /// - Returns: The place of the record.
  mutating func put<Element: StoredElement>(_ element: Element, at index: Int?) throws -> Int
  mutating func remove<Element: StoredElement>(_ id: UUID, as type: Element.Type) throws
  /// Adds a change to the log, and removes the oldest ones beyond its limit.
  mutating func log(_ change: ScheduleChange) throws
}

extension ScheduleTransaction {
  /// Replaces the record with the same id, or appends the record.
  mutating func save<Element: StoredElement>(_ element: Element, _ stamp: ChangeStamp) throws {
    let before = try find(element.id, as: Element.self)?.0
    try apply([Element.edit(before, element, at: nil)], stamp)
  }

  /// Removes the record with an id, if there is one.
  mutating func delete<Element: StoredElement>(
    _ id: UUID, as type: Element.Type, _ stamp: ChangeStamp
  ) throws {
    guard let before = try find(id, as: type)?.0 else { return }
    try apply([Element.edit(before, nil, at: nil)], stamp)
  }

  /// Makes edits, and logs those that change something.
  /// - Throws: ``EditRefusal`` if a record is not as an edit found it. Some edits may be made then.
  mutating func apply(_ edits: [ScheduleEdit], _ stamp: ChangeStamp) throws {
    var (made, refused): ([ScheduleEdit], [ScheduleEdit]) = ([], [])
    for edit in edits {
      switch edit {
      case .location(let before, let after, let index):
        try apply(before, after, index, &made, &refused)
      case .shiftType(let before, let after, let index):
        try apply(before, after, index, &made, &refused)
      case .shift(let before, let after, let index):
        try apply(before, after, index, &made, &refused)
      }
    }
    guard refused.isEmpty else { throw EditRefusal(differences: refused) }
    if !made.isEmpty { try log(stamp.change(made)) }
  }

  private mutating func apply<Element: StoredElement>(
    _ before: Element?, _ after: Element?, _ index: Int?,
    _ made: inout [ScheduleEdit], _ refused: inout [ScheduleEdit]
  ) throws {
    guard before != after, let id = (before ?? after)?.id else { return }
    let found = try find(id, as: Element.self)
    guard found?.0 == before, after.map({ $0.id == id }) ?? true else {
      return refused.append(Element.edit(before, found?.0, at: nil))
    }
    if let after {
      let place = try put(after, at: index)
      made.append(Element.edit(before, after, at: before == nil ? place : nil))
    } else {
      try remove(id, as: Element.self)
      made.append(Element.edit(before, nil, at: found?.1))
    }
  }
}

extension RecordChange {
  /// The kinds of the changed records.
  var kinds: Set<RecordKind> {
    switch self {
    case .saveShift, .deleteShift: [.shifts]
    case .saveShiftType, .deleteShiftType: [.shiftTypes]
    case .saveLocation, .deleteLocation: [.locations]
    case .apply(let edits): Set(edits.map(\.kind))
    }
  }

  /// Makes the change, and logs it.
  func make(in records: inout some ScheduleTransaction, _ stamp: ChangeStamp) throws {
    switch self {
    case .saveShift(let shift): try records.save(shift, stamp)
    case .deleteShift(let id): try records.delete(id, as: ScheduledShift.self, stamp)
    case .saveShiftType(let type): try records.save(type, stamp)
    case .deleteShiftType(let id): try records.delete(id, as: ShiftType.self, stamp)
    case .saveLocation(let location): try records.save(location, stamp)
    case .deleteLocation(let id): try records.delete(id, as: Location.self, stamp)
    case .apply(let edits): try records.apply(edits, stamp)
    }
  }
}

extension ScheduleEdit {
  /// The kind of the record.
  var kind: RecordKind {
    switch self {
    case .location: .locations
    case .shiftType: .shiftTypes
    case .shift: .shifts
    }
  }
}

/// The records of an engine in memory.
struct ScheduleContent: Equatable, Sendable {
  var locations = ElementList<Location>()
  var shiftTypes = ElementList<ShiftType>()
  var shifts = ElementList<ScheduledShift>()
  var changes: [ScheduleChange] = []

  init() {}

  /// - Throws: `FileError` with the code `duplicateID`.
  init(locations: [Location], shiftTypes: [ShiftType], shifts: [ScheduledShift]) throws {
    self.locations = try ElementList(locations)
    self.shiftTypes = try ElementList(shiftTypes)
    self.shifts = try ElementList(shifts)
  }

  /// Replaces all records of a type, and logs the differences.
  /// - Throws: `FileError` with the code `duplicateID`.
  mutating func replace<Element: StoredElement>(
    by elements: [Element], _ stamp: ChangeStamp
  ) throws {
    let edits = self[keyPath: Element.list].edits(to: elements)
    self[keyPath: Element.list] = try ElementList(elements)
    if !edits.isEmpty { log(stamp.change(edits)) }
  }
}

extension ScheduleContent: ScheduleTransaction {
  func find<Element: StoredElement>(_ id: UUID, as type: Element.Type) -> (Element, Int)? {
    let list = self[keyPath: Element.list]
    return list.index(id: id).map { (list[$0], $0) }
  }

  mutating func put<Element: StoredElement>(_ element: Element, at index: Int?) -> Int {
    self[keyPath: Element.list].upsert(element, at: index ?? .max)
    return self[keyPath: Element.list].index(id: element.id) ?? 0
  }

  mutating func remove<Element: StoredElement>(_ id: UUID, as type: Element.Type) {
    self[keyPath: Element.list].remove(id)
  }

  mutating func log(_ change: ScheduleChange) { changes = changes.logging(change) }
}

extension [ScheduleChange] {
  /// Returns the log with a further change, without the oldest ones beyond its limit.
  func logging(_ change: ScheduleChange) -> Self {
    (self + [change]).suffix(ScheduleChange.logLimit)
  }
}
