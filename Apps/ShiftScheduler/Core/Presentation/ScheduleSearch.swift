import Foundation
package import OffshoreCalendar
import OffshorePresentation

/// The conditions of a search for shifts, all of which hold for the results.
public struct ScheduleSearch: Equatable, Sendable {
  /// Words in the note, or in the type and its location, without case and diacritics.
  public var text = ""
  package var shiftTypeID: ShiftType.ID?
  package var locationID: Location.ID?
  package var status: ScheduledShift.Status?
  /// The days on which a shift starts; `nil` for all.
  package var days: ClosedRange<CalendarDay>?

  public init() {}

  /// Whether all shifts are results.
  package var isEmpty: Bool { self == ScheduleSearch() }

  /// Returns the shifts that satisfy the conditions, by their days.
  package func results(
    among shifts: [ScheduledShift], _ shiftTypes: [ShiftType], _ locations: [Location]
  ) -> [ScheduledShift] {
    let words = SearchText.words(of: text)
    let types = Dictionary(shiftTypes.map { ($0.id, $0) }) { first, _ in first }
    let typeTexts = types.mapValues { type in
      let location = type.location(from: locations)
      return SearchText.joined([
        type.symbol, type.title, type.description, location?.name, location?.address,
      ])
    }
    return shifts.filter { shift in
      guard shiftTypeID.map({ $0 == shift.shiftTypeID }) ?? true,
        status.map({ $0 == shift.status }) ?? true, days?.contains(shift.date) ?? true,
        locationID.map({ $0 == types[shift.shiftTypeID]?.locationID }) ?? true
      else { return false }
      guard !words.isEmpty else { return true }
      let text = SearchText.joined([shift.note]) + "\n" + (typeTexts[shift.shiftTypeID] ?? "")
      return words.allSatisfy(text.contains)
    }.sorted { ($0.date, $0.id.uuidString) < ($1.date, $1.id.uuidString) }
  }
}
