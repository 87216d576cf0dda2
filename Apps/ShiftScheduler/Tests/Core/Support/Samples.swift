import Foundation
import Offshore
import OffshoreCalendar
import OffshoreFiles
import OffshorePresentationTesting
import Testing

@testable import ShiftScheduler

func time(_ hour: Int, _ minute: Int = 0) -> TimeOfDay { TimeOfDay(hour: hour, minute: minute) }

func day(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> CalendarDay {
  try #require(CalendarDay(text), sourceLocation: location)
}

extension Location {
  static let harbor = Location(id: UUID(number: 1), name: "Harbor", address: "Quay 7")
  static let city = Location(id: UUID(number: 2), name: "City")
}

extension ShiftType {
  static let early = ShiftType(
    id: UUID(number: 11), symbol: "🌅", duration: .scheduled(from: time(6), to: time(14)),
    title: "Early", locationID: Location.harbor.id)
  static let night = ShiftType(
    id: UUID(number: 12), symbol: "N", duration: .scheduled(from: time(22), to: time(6)),
    title: "Night", description: "With the pager", color: .purple)
  static let vacation = ShiftType(
    id: UUID(number: 13), symbol: "V", duration: .allDay, title: "Vacation")
}

extension ScheduledShift {
  /// Returns a shift of June 2027, whose id is its number.
  static func june(
    _ day: Int, _ type: ShiftType = .early, id: Int? = nil, status: Status = .planned
  ) -> ScheduledShift {
    let month = CalendarMonth(containing: .june)
    return ScheduledShift(
      id: UUID(number: 100 + (id ?? day)), shiftTypeID: type.id, date: month.firstDay + (day - 1),
      status: status)
  }
}

extension CalendarDay {
  /// 1 June 2027, a Tuesday.
  static let june = CalendarMonth.first.advanced(by: 2027 * 12 + 5).firstDay
}

extension CalendarMonth {
  fileprivate static let first = CalendarMonth(containing: .first)
}

extension ChangeStamp {
  /// Numbered changes, of which each is a second later than the one before.
  static func numbered() -> ChangeStamp {
    let makeID = UUID.numbered()
    let counter = UUID.numbered()
    return ChangeStamp(
      now: { Date(timeIntervalSinceReferenceDate: 800_000_000.25 + Double(counter().uuid.15)) },
      makeID: makeID)
  }
}

extension ScheduleContent {
  /// Creates records without a log.
  init(
    locations: [Location] = [], shiftTypes: [ShiftType] = [], shifts: [ScheduledShift]
  ) throws {
    self.init()
    self[Location.self] = try ElementList(locations)
    self[ShiftType.self] = try ElementList(shiftTypes)
    self[ScheduledShift.self] = try ElementList(shifts)
  }
}

extension ShiftSchema {
  /// The types of all rows.
  static let records: [any Record.Type] = [
    ElementRow<Location>.self, ElementRow<ShiftType>.self, ElementRow<ScheduledShift>.self,
    ChangeRow<ScheduleChange>.self, Team.self, PublishedShift.self, SwapOffer.self,
    SwapAnswer.self, SwapDecision.self,
  ]
}
