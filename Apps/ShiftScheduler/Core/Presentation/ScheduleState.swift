public import Foundation
public import OffshoreCalendar
import OffshoreFiles
import OffshorePresentation

// MARK: - What a calendar shows

extension ScheduleFeature.State {
  /// The days that are shown. Those of a month are in whole weeks.
  package var days: ClosedRange<CalendarDay> { mode.days(around: day, startingOn: firstWeekday) }

  /// The days whose shifts are loaded: those that are shown, and their neighbors.
  package var loadedDays: ClosedRange<CalendarDay> { days.withNeighbors }

  /// Returns the view of the calendar: the shifts of each day by their times, overlaps, and totals.
  /// - Parameter calendar: The calendar with the time zone of the clock.
  public func view(in calendar: Calendar) -> ScheduleView {
    ScheduleView(self, ShiftTimes(shiftTypes, in: calendar))
  }

  /// Returns a shift that is loaded or found.
  package func shift(_ id: ScheduledShift.ID) -> ScheduledShift? {
    shifts.first { $0.id == id } ?? found.first { $0.id == id }
  }

  /// Makes edits in the shifts that are loaded.
  mutating func make(_ edits: [ScheduleEdit]) {
    let days = loadedDays
    shifts.make(edits) { days.contains($0.date) }
  }

  mutating func receive(
    _ result: Result<[ScheduledShift], AppError>, of days: ClosedRange<CalendarDay>
  ) {
    guard days == loadedDays else { return }
    isLoading = false
    switch result {
    case .success(let shifts): (self.shifts, error) = (shifts, nil)
    case .failure(let failure): error = failure
    }
  }
}

/// The shifts, overlaps and totals of a calendar that is shown.
public struct ScheduleView: Equatable, Sendable {
  /// The shifts of each day, by their times. Those without a type are last.
  public let shifts: [CalendarDay: [ScheduledShift]]
  /// The overlaps of shifts on the days that are shown.
  package let overlaps: [ShiftOverlap]
  /// The totals of each week.
  package let weeks: [(week: CalendarWeek, totals: ShiftTotals)]
  /// The totals of the month that contains the chosen day, or of the days that are shown.
  package let totals: ShiftTotals

  init(_ state: ScheduleFeature.State, _ times: ShiftTimes) {
    let days = state.days
    let shown = times.sorted(state.shifts.filter { days.contains($0.date) })
    shifts = Dictionary(grouping: shown, by: \.date)
    overlaps = times.overlaps(among: state.shifts).filter {
      days.contains($0.first.date) || days.contains($0.second.date)
    }
    weeks = CalendarWeek.weeks(of: days, startingOn: state.firstWeekday).map {
      ($0, ShiftTotals(of: state.shifts, in: $0.days, times))
    }
    let summed = state.mode == .month ? CalendarMonth(containing: state.day).days : days
    totals = ShiftTotals(of: state.shifts, in: summed, times)
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.shifts == rhs.shifts && lhs.overlaps == rhs.overlaps && lhs.totals == rhs.totals
      && lhs.weeks.elementsEqual(rhs.weeks, by: ==)
  }
}

// MARK: - Edits

/// The edits of actions that change shifts.
struct ShiftEditor {
  let state: ScheduleFeature.State

  func edits(for action: ScheduleFeature.Action) -> [ScheduleEdit] {
    let makeID = DependencyValues.current.uuid
    switch action {
    case .addShift(let shift): return [.shift(before: nil, after: shift)]
    case .updateShift(let shift):
      guard let before = state.shift(shift.id), before != shift else { return [] }
      return [.shift(before: before, after: shift)]
    case .moveShift(let id, let day):
      guard let before = state.shift(id), before.date != day else { return [] }
      var moved = before
      moved.date = day
      return [.shift(before: before, after: moved)]
    case .copyShift(let id, let days):
      guard let shift = state.shift(id) else { return [] }
      return Set(days).sorted().map { day in
        .shift(
          before: nil,
          after: ScheduledShift(
            id: makeID(), shiftTypeID: shift.shiftTypeID, date: day, note: shift.note))
      }
    case .repeatPattern(let pattern, let days):
      return pattern.shifts(on: days, makeID: makeID).map { .shift(before: nil, after: $0) }
    default: return []
    }
  }
}
