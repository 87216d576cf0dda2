import Foundation
import OffshoreCalendar
import OffshorePresentationTesting
import Testing

@testable import ShiftScheduler

/// The JSON of the domain's values.
struct CodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func value<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func `Durations have the specified form`() throws {
    #expect(try json(ShiftDuration.allDay) == #"{"allDay":{}}"#)
    #expect(
      try json(ShiftDuration.standard)
        == #"{"scheduled":{"from":{"hour":9,"minute":0},"to":{"hour":17,"minute":0}}}"#)
  }

  @Test func `Days are texts, and enumerations are names`() throws {
    var shift = ScheduledShift(
      id: UUID(number: 5), shiftTypeID: UUID(number: 11), date: try day("2027-06-12"))
    shift.status = .cancelled
    #expect(
      try json(shift)
        == """
        {"date":"2027-06-12","id":"\(UUID(number: 5))","note":"","overtimeMinutes":0,\
        "shiftTypeID":"\(UUID(number: 11))","status":"cancelled"}
        """)
    #expect(try json(ShiftType.night).contains(#""color":"purple""#))
  }

  @Test func `A missing field has its default`() throws {
    let id = UUID(number: 9)
    #expect(
      try value(#"{"id":"\#(id)","name":"Quay"}"#, as: Location.self)
        == Location(id: id, name: "Quay"))
    #expect(
      try value(#"{"id":"\#(id)","symbol":"D","title":"Day"}"#, as: ShiftType.self)
        == ShiftType(id: id, symbol: "D", duration: .standard, title: "Day"))
    #expect(
      try value(
        #"{"id":"\#(id)","shiftTypeID":"\#(id)","date":"2027-06-12"}"#, as: ScheduledShift.self)
        == ScheduledShift(id: id, shiftTypeID: id, date: day("2027-06-12")))
  }

  @Test(arguments: [
    #"{"id":"00000000-0000-0000-0000-000000000001"}"#,
    #"{"name":"Quay"}"#, #"{"id":"1","name":"Quay"}"#,
  ])
  func `A location without its id or name is refused`(_ text: String) {
    #expect(throws: DecodingError.self) { try value(text, as: Location.self) }
  }

  @Test func `Edits and changes are decoded as they were encoded`() throws {
    let change = ScheduleChange(
      moment: Date(timeIntervalSinceReferenceDate: 800_000_000),
      edits: [
        .location(before: nil, after: .harbor, index: 0),
        .shiftType(before: .early, after: .night),
        .shift(before: .june(3), after: nil, index: 2),
      ])
    #expect(try value(try json(change), as: ScheduleChange.self) == change)
    #expect(try json(change.edits[0]).hasPrefix(#"{"location":{"after":{"#))
  }
}
