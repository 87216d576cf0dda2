/// The change of one record, with its values before and after.
///
/// An inserted record has no value before, and a removed one none after. For these, the index is the
/// record's place among those of its kind, so that a removal can be undone in the same place.
public enum ScheduleEdit: Hashable, Sendable, Codable {
  case location(before: Location?, after: Location?, index: Int? = nil)
  case shiftType(before: ShiftType?, after: ShiftType?, index: Int? = nil)
  case shift(before: ScheduledShift?, after: ScheduledShift?, index: Int? = nil)
}
