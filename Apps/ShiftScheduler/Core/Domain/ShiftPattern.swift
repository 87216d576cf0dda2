package import Foundation
package import OffshoreCalendar

/// A sequence of days with and without shifts that is repeated, such as 4 on and 2 off.
public struct ShiftPattern: Hashable, Sendable {
  /// Some days with shifts of one type, or free days.
  public struct Step: Hashable, Sendable {
    /// The type of the shifts; `nil` for free days.
    package var shiftTypeID: ShiftType.ID?
    package var days: Int

    package init(_ shiftTypeID: ShiftType.ID?, days: Int) {
      self.shiftTypeID = shiftTypeID
      self.days = days
    }
  }

  /// The largest number of days that a pattern fills at once.
  package static let dayLimit = 3 * 366

  package var steps: [Step]

  package init(steps: [Step]) { self.steps = steps }

  /// Creates a pattern of days with shifts of one type, followed by free days.
  package init(_ shiftTypeID: ShiftType.ID, on: Int, off: Int) {
    self.init(steps: [Step(shiftTypeID, days: on), Step(nil, days: off)])
  }

  /// Returns the shifts of a range of days, on whose first day the pattern begins. The range is shortened to
  /// ``dayLimit`` days.
  package func shifts(
    on days: ClosedRange<CalendarDay>, makeID: () -> UUID
  ) -> [ScheduledShift] {
    let cycle = steps.flatMap { step in
      Array(repeating: step.shiftTypeID, count: min(max(step.days, 0), Self.dayLimit))
    }
    guard !cycle.isEmpty else { return [] }
    return days.prefix(Self.dayLimit).enumerated().compactMap { number, day in
      cycle[number % cycle.count].map {
        ScheduledShift(id: makeID(), shiftTypeID: $0, date: day)
      }
    }
  }
}
