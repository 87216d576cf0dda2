public import OffshoreFiles

// The records and their changes as elements of a group of collections, which every engine has.

extension ScheduleEdit: LoggedEdit {
  public static let elementTypes: [any LoggedElement<ScheduleEdit>.Type] = [
    Location.self, ShiftType.self, ScheduledShift.self,
  ]

  public var typed: any TypedEdit<ScheduleEdit> {
    switch self {
    case .location(let before, let after, let index): ElementEdit(before, after, at: index)
    case .shiftType(let before, let after, let index): ElementEdit(before, after, at: index)
    case .shift(let before, let after, let index): ElementEdit(before, after, at: index)
    }
  }
}

extension Location: LoggedElement {
  public static var fileName: String { RecordKind.locations.rawValue }

  public static func edit(_ edit: ElementEdit<Self>) -> ScheduleEdit {
    .location(before: edit.before, after: edit.after, index: edit.index)
  }
}

extension ShiftType: LoggedElement {
  public static var fileName: String { RecordKind.shiftTypes.rawValue }

  public static func edit(_ edit: ElementEdit<Self>) -> ScheduleEdit {
    .shiftType(before: edit.before, after: edit.after, index: edit.index)
  }
}

extension ScheduledShift: LoggedElement {
  public static var fileName: String { RecordKind.shifts.rawValue }

  public static func edit(_ edit: ElementEdit<Self>) -> ScheduleEdit {
    .shift(before: edit.before, after: edit.after, index: edit.index)
  }
}

extension ScheduleChange: LoggedChange {
  public static var fileName: String { RecordKind.changes.rawValue }

  /// The change that reverts this one, with the edits turned around.
  public var inverse: ScheduleChange {
    ScheduleChange(id: id, moment: moment, edits: inverseEdits)
  }
}

/// The error of edits that were not made, because records have changed meanwhile.
public typealias EditRefusal = RefusedEdits<ScheduleEdit>

/// The records of an engine in memory.
package typealias ScheduleContent = GroupContent<ScheduleChange>
