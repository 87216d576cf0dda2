import Foundation
import OffshoreCalendar
import TestSupport
import Testing

struct CalendarFileTests {
  private let stamp = Date.day(6, 1)

  private func event(
    _ title: String = "Early", _ time: CalendarFile.Event.Time? = nil, location: String = "",
    notes: String = ""
  ) throws -> CalendarFile.Event {
    let day = try #require(CalendarDay("2027-06-12"))
    return CalendarFile.Event(
      id: "6F1A", stamp: stamp, time: time ?? .days(day...day), title: title, location: location,
      notes: notes)
  }

  private func text(_ events: CalendarFile.Event...) -> String {
    CalendarFile("", product: "Test", events: events).text
  }

  /// Returns the value of the first line with a name, as a calendar app reads it.
  private func value(_ name: String, in text: String) throws -> String {
    // NB: Of a text in place of bytes, a space and a combining mark would be one character.
    let unfolded = Array(text.utf8).split(separator: Array("\r\n ".utf8)).joined()
    let lines = Array(unfolded).split(separator: Array("\r\n".utf8))
    let line = String(
      decoding: try #require(lines.first { $0.starts(with: Array("\(name):".utf8)) }),
      as: UTF8.self)
    var (value, isEscaped) = (String.UnicodeScalarView(), false)
    for scalar in line.unicodeScalars.dropFirst(name.unicodeScalars.count + 1) {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else {
        value.append(isEscaped && scalar == "n" ? "\n" : scalar)
        isEscaped = false
      }
    }
    return String(value)
  }

  // MARK: - Files

  @Test func `A file has its name, and each event with its texts`() throws {
    let file = CalendarFile(
      "Shifts", product: "Sample",
      events: [try event("Early", location: "Harbour", notes: "Bring keys.")])
    #expect(
      file.text.replacing("\r\n", with: "\n") == """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Sample//EN
        NAME:Shifts
        X-WR-CALNAME:Shifts
        BEGIN:VEVENT
        UID:6F1A
        DTSTAMP:20260601T120000Z
        DTSTART;VALUE=DATE:20270612
        DTEND;VALUE=DATE:20270613
        SUMMARY:Early
        LOCATION:Harbour
        DESCRIPTION:Bring keys.
        END:VEVENT
        END:VCALENDAR

        """)
  }

  @Test func `Texts that are empty are left out`() throws {
    let text = text(try event())
    for name in ["NAME", "X-WR-CALNAME", "LOCATION", "DESCRIPTION"] {
      #expect(!text.contains("\r\n\(name):"))
    }
    #expect(text.contains("\r\nSUMMARY:Early\r\n"))
  }

  @Test func `Every line ends with CR LF, and neither is elsewhere`() throws {
    let text = text(try event("A\nB\r\nC\rD"), try event())
    #expect(text.hasSuffix("\r\n"))
    let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    #expect(parts.dropLast().allSatisfy { $0.last == UInt8(ascii: "\r") })
    #expect(text.utf8.count(where: { $0 == UInt8(ascii: "\r") }) == parts.count - 1)
  }

  // MARK: - Times

  @Test func `Days end on the day after the last`() throws {
    let first = try #require(CalendarDay("2027-12-30"))
    let text = text(try event("x", .days(first...(first + 2))))
    #expect(text.contains("DTSTART;VALUE=DATE:20271230\r\nDTEND;VALUE=DATE:20280102\r\n"))
  }

  @Test func `The last day of the calendar has no end, which is one day`() throws {
    let text = text(try event("x", .days(.last...(.last))))
    #expect(text.contains("DTSTART;VALUE=DATE:99991231\r\nSUMMARY"))
  }

  @Test func `Instants are written in UTC, in whole seconds`() throws {
    let start = Date.day(6, 6).addingTimeInterval(-3 * 3600 + 65.9)
    let text = text(try event("x", .instants(start..<(start + 8 * 3600))))
    #expect(text.contains("DTSTART:20260606T090105Z\r\nDTEND:20260606T170105Z\r\n"))
  }

  @Test func `An instant has no end`() throws {
    for length in [0, 0.5] {
      let text = text(try event("x", .instants(stamp..<(stamp + length))))
      #expect(text.contains("DTSTART:20260601T120000Z\r\nSUMMARY"))
    }
  }

  @Test(arguments: [
    (-1e300, "00000101T000000Z"), (-1, "19691231T235959Z"), (1e300, "99991231T235959Z"),
    (.infinity, "99991231T235959Z"), (-.infinity, "00000101T000000Z"), (.nan, "00000101T000000Z"),
  ])
  func `A date beyond the known years is the nearest within`(_ seconds: Double, _ text: String)
    throws
  {
    let day = try #require(CalendarDay("2027-06-12"))
    let event = CalendarFile.Event(
      id: "1", stamp: Date(timeIntervalSince1970: seconds), time: .days(day...day), title: "x")
    #expect(self.text(event).contains("DTSTAMP:\(text)\r\n"))
  }

  // MARK: - Texts

  @Test func `Signs that have a meaning in the format are escaped`() throws {
    let notes = "Key; lock, 50 % \\ “x”: y\nSecond line"
    let text = text(try event(notes: notes))
    #expect(
      text.contains(#"DESCRIPTION:Key\; lock\, 50 % \\ “x”: y\nSecond line"# + "\r\n"))
    #expect(try value("DESCRIPTION", in: text) == notes)
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
  func `Line breaks of all kinds become one kind`(_ lineBreak: String) throws {
    #expect(text(try event("A\(lineBreak)B")).contains("SUMMARY:A\\nB\r\n"))
  }

  @Test func `Control characters are left out, except for tabs`() throws {
    let controls = (0..<0x20).compactMap(Unicode.Scalar.init).map(String.init)
      .filter { !["\n", "\r"].contains($0) }
    let text = text(try event("A" + controls.joined() + "\u{7F}B"))
    #expect(text.contains("SUMMARY:A\tB\r\n"))
  }

  @Test func `No text can end its line and begin another`() throws {
    let text = text(
      try event("x\r\nEND:VEVENT", location: "\u{B}\nBEGIN:VALARM", notes: "\\\r\nATTACH:x"))
    let lines = text.split(separator: "\r\n").map(String.init)
    #expect(lines.count { $0 == "END:VEVENT" } == 1)
    #expect(!lines.contains { $0.hasPrefix("BEGIN:VALARM") || $0.hasPrefix("ATTACH") })
  }

  @Test(arguments: [
    String(repeating: "a", count: 66), String(repeating: "a", count: 67),
    String(repeating: "a", count: 68), String(repeating: "ä", count: 500),
    String(repeating: "👩‍👩‍👧", count: 100), String(repeating: "🙂", count: 37),
    String(repeating: ";", count: 200), "e" + String(repeating: "\u{301}", count: 300),
    String(repeating: "Смена ", count: 20_000),
  ])
  func `Long lines are folded between characters`(_ title: String) throws {
    let text = text(try event(title))
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      #expect(line.count <= 76)
      // The line is valid UTF-8 by itself.
      #expect(String(validating: line, as: UTF8.self) != nil)
    }
    #expect(try value("SUMMARY", in: text) == title)
  }

  @Test func `A line of 75 bytes is not folded, and a longer one is`() throws {
    let title = String(repeating: "a", count: 75 - "SUMMARY:".count)
    #expect(text(try event(title)).contains("\r\nSUMMARY:\(title)\r\n"))
    #expect(text(try event(title + "b")).contains("\r\nSUMMARY:\(title)\r\n b\r\n"))
  }
}
