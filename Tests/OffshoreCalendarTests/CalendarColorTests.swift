import OffshoreCalendar
import Testing

struct CalendarColorTests {
  @Test func `Each color has a symbol of its own, of one character`() {
    let symbols = CalendarColor.allCases.map(\.symbol)
    #expect(Set(symbols).count == CalendarColor.allCases.count)
    #expect(symbols.allSatisfy { $0.unicodeScalars.count == 1 })
  }

  @Test func `A color is coded by its name`() throws {
    #expect(try CodingProbe.json(CalendarColor.teal) == #""teal""#)
    #expect(try CodingProbe.decoded(#""gray""#) == CalendarColor.gray)
    #expect(throws: DecodingError.self) {
      try CodingProbe.decoded(#""mauve""#) as CalendarColor
    }
  }
}
