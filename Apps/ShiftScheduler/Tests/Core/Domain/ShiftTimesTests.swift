import Foundation
import OffshoreCalendar
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// Overlaps and totals.
struct ShiftTimesTests {
  private let times = ShiftTimes([.early, .night, .vacation], in: .utc)

  private func pairs(_ shifts: ScheduledShift...) -> [[UUID]] {
    times.overlaps(among: shifts).map { [$0.first.id, $0.second.id] }
  }

  @Test func `A shift over midnight overlaps an early one of the next day only if it lasts`() {
    #expect(pairs(.june(1, .night), .june(2, .early)) == [])
    let long = ShiftType(
      symbol: "L", duration: .scheduled(from: time(22), to: time(6, 30)), title: "Long")
    let times = ShiftTimes([.early, long], in: .utc)
    let overlaps = times.overlaps(among: [.june(2), .june(1, long)])
    #expect(overlaps == [ShiftOverlap(first: .june(1, long), second: .june(2))])
  }

  @Test func `Overlapping shifts name each other`() {
    #expect(
      pairs(.june(2), .june(1, .night, id: 31), .june(1, .night, id: 32), .june(1, .vacation)) == [
        [UUID(number: 101), UUID(number: 131)], [UUID(number: 101), UUID(number: 132)],
        [UUID(number: 131), UUID(number: 132)],
      ])
  }

  @Test func `Cancelled shifts, and those without a type, overlap nothing`() {
    let lost = ScheduledShift(shiftTypeID: UUID(number: 99), date: .june)
    #expect(pairs(.june(1), .june(1, id: 2, status: .cancelled), lost) == [])
  }

  @Test func `Totals count hours, whole days and overtime, and leave out cancelled shifts`() {
    var done = ScheduledShift.june(1, status: .done)
    done.overtimeMinutes = 45
    let shifts = [
      done, .june(2, .night), .june(3, .vacation), .june(4, status: .cancelled), .june(30),
    ]
    let totals = ShiftTotals(of: shifts, in: .june...(.june + 6), times)
    #expect(totals.shifts == 3 && totals.hours == 16 && totals.wholeDays == 1)
    #expect(totals.overtimeMinutes == 45)
  }
}

/// Patterns, removals, rules, and the calendar file.
struct ScheduleRulesTests {
  @Test func `A pattern of 4 on and 2 off is repeated from its first day`() {
    let pattern = ShiftPattern(ShiftType.early.id, on: 4, off: 2)
    let shifts = pattern.shifts(on: .june...(.june + 9), makeID: UUID.numbered())
    #expect(shifts.map(\.date) == [0, 1, 2, 3, 6, 7, 8, 9].map { .june + $0 })
    #expect(Set(shifts.map(\.id)).count == 8)
  }

  @Test func `A pattern without days has no shifts, and a long one is limited`() {
    #expect(ShiftPattern(steps: []).shifts(on: .june...(.june + 9), makeID: { UUID() }) == [])
    let endless = ShiftPattern(steps: [.init(ShiftType.early.id, days: .max)])
    #expect(endless.shifts(on: .june...(.last), makeID: { UUID() }).count == 1_098)
  }

  @Test func `A location in use is removed with a choice only`() {
    let types = [ShiftType.early, .night]
    #expect(Location.harbor.removal(from: types, nil) == nil)
    #expect(Location.city.removal(from: types, nil) == [.location(before: .city, after: nil)])
    var cleared = ShiftType.early
    cleared.locationID = nil
    #expect(
      Location.harbor.removal(from: types, .clear) == [
        .shiftType(before: .early, after: cleared), .location(before: .harbor, after: nil),
      ])
    var moved = ShiftType.early
    moved.locationID = Location.city.id
    #expect(
      Location.harbor.removal(from: types, .move(to: Location.city.id))?.first
        == .shiftType(before: .early, after: moved))
  }

  @Test func `A shift type in use is removed with a choice only`() {
    let shifts = [ScheduledShift.june(1), .june(2, .night)]
    #expect(ShiftType.early.removal(from: shifts, nil) == nil)
    #expect(
      ShiftType.early.removal(from: shifts, .clear) == [
        .shift(before: .june(1), after: nil, index: 0), .shiftType(before: .early, after: nil),
      ])
    #expect(
      ShiftType.early.removal(from: shifts, .move(to: ShiftType.night.id))?.first
        == .shift(before: .june(1), after: .june(1, .night)))
    #expect(
      ShiftType.vacation.removal(from: shifts, nil) == [
        .shiftType(before: .vacation, after: nil)
      ])
  }

  @Test(arguments: ["", " ", "ab", "12", String(repeating: "x", count: 10_000)])
  func `A symbol is one emoji or letter`(_ symbol: String) {
    var type = ShiftType.early
    type.symbol = symbol
    #expect(throws: EntryProblem.self) { try type.check() }
  }

  @Test(arguments: ["🌅", "Ж", "👩🏽‍⚕️", "🇩🇪"]) func `These are symbols`(_ symbol: String) throws {
    var type = ShiftType.early
    type.symbol = symbol
    try type.check()
  }

  @Test func `Required texts are not blank, and no text is too long`() throws {
    var type = ShiftType.early
    type.title = " \n"
    #expect(throws: EntryProblem.missing(field: "title")) { try type.check() }
    type.title = String(repeating: "x", count: 81)
    #expect(throws: EntryProblem.tooLong(field: "title", maximum: 80)) { try type.check() }
    #expect(throws: EntryProblem.missing(field: "name")) { try Location(name: "").check() }
    var shift = ScheduledShift.june(1)
    shift.overtimeMinutes = -1
    #expect(throws: EntryProblem.overtimeOutOfRange) { try shift.check() }
  }

  @Test func `A location is found among others`() {
    #expect(ShiftType.early.location(from: [.city, .harbor]) == .harbor)
    #expect(ShiftType.early.location(from: [.city]) == nil)
    #expect(ShiftType.night.location(from: [.city]) == nil)
  }

  @Test func `The calendar file has the shifts of a range with their places`() throws {
    let export = ScheduleExport(
      [.early, .night, .vacation], [.harbor], in: try Calendar.gregorian(in: "Europe/Berlin"))
    let shifts = [
      ScheduledShift.june(3, .vacation), .june(1), .june(2, .night, status: .cancelled), .june(9),
    ]
    let text = export.file(
      of: shifts, in: .june...(.june + 6), named: "Shifts", stamp: .distantPast
    ).text
    #expect(text.components(separatedBy: "BEGIN:VEVENT").count == 3)
    #expect(text.contains("SUMMARY:🌅 Early\r\nLOCATION:Harbor\\, Quay 7"))
    #expect(text.contains("DTSTART:20270601T040000Z\r\nDTEND:20270601T120000Z"))
    #expect(text.contains("DTSTART;VALUE=DATE:20270603\r\nDTEND;VALUE=DATE:20270604"))
  }
}
