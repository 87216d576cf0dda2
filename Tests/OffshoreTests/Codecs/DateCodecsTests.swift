import Foundation
import TestSupport
import Testing

@testable import Offshore

struct DateCodecTests {
  @Test func `A stored date loads with the same bits, whatever they are`() throws {
    var random = SeededRandom(seed: 3)
    // Zero has its own test, since only its sign could be lost.
    let values = (0..<100_000).map { _ in Double(bitPattern: random.next()) }
      .filter { !$0.isNaN && $0 != 0 }
    let loaded = try CodecProbe<DateReference>()
      .loaded(values.map(Date.init(timeIntervalSinceReferenceDate:)))
    #expect(
      loaded.map(\.timeIntervalSinceReferenceDate.bitPattern) == values.map(\.bitPattern))
  }

  @Test func `Dates of the present load equal, with all their fractions`() throws {
    var random = SeededRandom(seed: 4)
    let values = (0..<20_000).map { _ in
      Date(timeIntervalSinceReferenceDate: .random(in: -1e9...3e9, using: &random))
    }
    #expect(try CodecProbe<DateReference>().loaded(values) == values)
  }

  @Test(arguments: [
    Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0),
    Date(timeIntervalSinceReferenceDate: -0.0), Date(timeIntervalSince1970: 0),
    Date(timeIntervalSinceReferenceDate: .infinity),
    Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude),
  ]) func `The earliest and the latest dates load equal`(value: Date) throws {
    #expect(try CodecProbe<DateReference>().loaded(value) == value)
  }

  @Test func `A date is stored as the seconds since 2001`() throws {
    let date = Date(timeIntervalSince1970: 978_307_200.25)
    #expect(try CodecProbe<DateReference>().stored(date) == "real 0.25")
  }

  @Test func `A date of NaN is refused in every form`() throws {
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(try CodecProbe<DateReference>().refusal(date) != nil)
    #expect(try CodecProbe<DateUnixSeconds>().refusal(date) != nil)
    #expect(try CodecProbe<DateText>().refusal(date) != nil)
  }

  @Test func `A whole number of seconds that another program stored as INTEGER is read`() throws {
    #expect(
      try CodecProbe<DateReference>().read("86400") == Date(timeIntervalSinceReferenceDate: 86_400))
  }

  @Test(arguments: ["'2024-01-01'", "NULL", "x'00'"])
  func `A text in place of a number is an error`(expression: String) throws {
    #expect(try CodecProbe<DateReference>().misfit(SQL(raw: expression)) != nil)
    #expect(try CodecProbe<DateUnixSeconds>().misfit(SQL(raw: expression)) != nil)
  }

  // MARK: - Unix seconds

  @Test func `Unix seconds equal those of SQLite's own function`() throws {
    let probe = try CodecProbe<DateUnixSeconds>()
    let date = Date(timeIntervalSince1970: 1_719_838_800.5)
    #expect(try probe.stored(date) == "real 1719838800.5")
    #expect(
      try probe.read("unixepoch('2024-07-01 13:00:00')")
        == Date(timeIntervalSince1970: 1_719_838_800))
  }

  @Test func `Unix seconds load within a quarter of a microsecond until the year 2100`() throws {
    var random = SeededRandom(seed: 5)
    let values = (0..<20_000).map { _ in
      Date(
        timeIntervalSinceReferenceDate: .random(in: -978_307_200...3_124_224_000, using: &random))
    }
    let loaded = try CodecProbe<DateUnixSeconds>().loaded(values)
    let deviation = zip(values, loaded).map { abs($0.timeIntervalSince($1)) }.max()
    #expect(try #require(deviation) <= 0.000_000_25)
  }
}

struct DateTextTests {
  private func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Random whole milliseconds of the years 0000 to 9999, the same in each run.
  private func randomMilliseconds(_ count: Int) -> [Int64] {
    var random = SeededRandom(seed: 6)
    return (0..<count).map { _ in
      Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01 00:00:00.000"), (1, "1970-01-01 00:00:00.001"),
      (-1, "1969-12-31 23:59:59.999"), (951_782_400_000, "2000-02-29 00:00:00.000"),
      (951_868_799_999, "2000-02-29 23:59:59.999"), (951_868_800_000, "2000-03-01 00:00:00.000"),
      (4_107_542_399_999, "2100-02-28 23:59:59.999"),
      (4_107_542_400_000, "2100-03-01 00:00:00.000"),
      (1_709_210_096_789, "2024-02-29 12:34:56.789"),
      (-62_167_219_200_000, "0000-01-01 00:00:00.000"),
      (-62_162_121_600_000, "0000-02-29 00:00:00.000"),
      (-62_162_035_200_001, "0000-02-29 23:59:59.999"),
      (-62_135_596_800_001, "0000-12-31 23:59:59.999"),
      (-62_135_596_800_000, "0001-01-01 00:00:00.000"),
      (253_402_300_799_999, "9999-12-31 23:59:59.999"),
      (-11_644_473_600_000, "1601-01-01 00:00:00.000"),
    ] as [(Int64, String)]) func `A date is stored as UTC text with three fraction digits`(
      milliseconds: Int64, text: String
    ) throws
  {
    let probe = try CodecProbe<DateText>()
    #expect(try probe.stored(date(milliseconds)) == "text '\(text)'")
    #expect(try probe.read("\(text)") == date(milliseconds))
  }

  @Test(arguments: [
    (0.0004, "1970-01-01 00:00:00.000"), (0.0006, "1970-01-01 00:00:00.001"),
    (-0.0004, "1970-01-01 00:00:00.000"), (-0.0006, "1969-12-31 23:59:59.999"),
    (59.9996, "1970-01-01 00:01:00.000"), (86_399.9999, "1970-01-02 00:00:00.000"),
  ]) func `A date between milliseconds is rounded to the nearer one`(seconds: Double, text: String)
    throws
  {
    #expect(
      try CodecProbe<DateText>().stored(Date(timeIntervalSince1970: seconds)) == "text '\(text)'")
  }

  @Test(arguments: [
    -62_167_219_200.001, 253_402_300_800, 253_402_300_799.999_6, 1e300, -1e300,
    .infinity, -.infinity,
  ]) func `A date outside the years 0000 to 9999 is refused`(seconds: Double) throws {
    #expect(
      try CodecProbe<DateText>().refusal(Date(timeIntervalSince1970: seconds))
        == "a date from year 0000 to 9999")
  }

  @Test func `Foundation's distant dates can be stored`() throws {
    let probe = try CodecProbe<DateText>()
    #expect(try probe.loaded(.distantPast) == .distantPast)
    #expect(try probe.loaded(.distantFuture) == .distantFuture)
  }

  @Test func `A stored date loads as the same millisecond, and is stored again as the same text`()
    throws
  {
    let values = randomMilliseconds(20_000).map(date)
    let probe = try CodecProbe<DateText>()
    let once = try probe.loaded(values)
    #expect(once == values)
    #expect(try probe.loaded(once) == once)
  }

  @Test func `Twenty thousand random dates have the same text as from SQLite's own functions`()
    throws
  {
    let test = try TestConnection(
      "CREATE TABLE dates (text TEXT, days INTEGER, milliseconds INTEGER)")
    try test.connection.write { writer in
      for milliseconds in randomMilliseconds(20_000) {
        let text = SQL(binding: date(milliseconds), as: DateText.self)
        // Days and fractions are computed apart, because SQLite's own sum of fractions is not
        // exact.
        let day =
          (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
        let rest = milliseconds - day * 86_400_000
        try writer.run("INSERT INTO dates VALUES (\(text), \(day), \(rest))")
      }
    }
    let differing = try test.connection.number(
      """
      SELECT count(*) FROM dates WHERE substr(text, 1, 10) <> date(days * 86400, 'unixepoch')
        OR substr(text, 12, 8) <> time(milliseconds / 1000, 'unixepoch')
        OR CAST(substr(text, 21) AS INTEGER) <> milliseconds % 1000
        OR strftime('%Y-%m-%d %H:%M:%f', text) <> text
      """)
    #expect(differing == 0)
  }

  @Test func `Texts sort in the order of their dates`() throws {
    let milliseconds = randomMilliseconds(2000)
    let texts = milliseconds.map { date($0) }.map { SQL(binding: $0, as: DateText.self).arguments }
    let byText = zip(texts, milliseconds).sorted { "\($0.0)" < "\($1.0)" }.map(\.1)
    #expect(byText == milliseconds.sorted())
  }

  @Test(arguments: [
    "", "2024-01-01", "2024-01-01 00:00:00", "2024-01-01 00:00:00.0", "2024-01-01 00:00:00.0000",
    "2024-01-01T00:00:00.000", "2024-01-01 00:00:00.000Z", "2024-1-01 00:00:00.0000",
    "2023-02-29 00:00:00.000", "1900-02-29 00:00:00.000", "2024-02-30 00:00:00.000",
    "2024-04-31 00:00:00.000", "2024-00-01 00:00:00.000", "2024-13-01 00:00:00.000",
    "2024-01-00 00:00:00.000", "2024-01-32 00:00:00.000", "2024-01-01 24:00:00.000",
    "2024-01-01 23:60:00.000", "2024-01-01 23:59:60.000", "-024-01-01 00:00:00.000",
    "+024-01-01 00:00:00.000", "2024-01-01 00:00:00,000", "2024/01/01 00:00:00.000",
    "202४-01-01 00:00:00.0", "now", "1719838800",
  ]) func `A text of another form, or of a day that does not exist, is an error`(text: String)
    throws
  {
    #expect(
      try CodecProbe<DateText>().misfit("\(text)")
        == Misfit(
          expected: "a date as text, yyyy-MM-dd HH:mm:ss.SSS",
          found: "a text of \(text.utf8.count) bytes"))
  }

  @Test(arguments: ["0", "0.5", "NULL", "x'00'"])
  func `A number or a BLOB in place of a text is an error`(expression: String) throws {
    #expect(try CodecProbe<DateText>().misfit(SQL(raw: expression)) != nil)
  }

  // MARK: - ISO 8601

  private func milliseconds(iso8601 text: String) -> Int64? {
    var text = text
    return text.withUTF8(UTCText.milliseconds(iso8601:))
  }

  @Test func `Ten thousand random ISO 8601 dates are read and written as Foundation does`() throws {
    var random = SeededRandom(seed: 8)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<10_000 {
      // Years 1600 to 9999.
      let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &random)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
      #expect(milliseconds(iso8601: text) == seconds * 1000, "\(text)")
      let fraction = Int64.random(in: 0..<1000, using: &random)
      let digits = "\(1000 + fraction)".dropFirst()
      let precise = "\(text.dropLast()).\(digits)Z"
      #expect(milliseconds(iso8601: precise) == seconds * 1000 + fraction)
      #expect(UTCText.iso8601(date(seconds * 1000)) == text)
      #expect(UTCText.iso8601(date(seconds * 1000 + fraction)) == (fraction > 0 ? precise : text))
    }
  }

  @Test(arguments: [
    "", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00.0Z",
    "2024-01-01T00:00:00.0000Z", "2024-01-01T00:00:00,000Z", "2024-01-01T00:00:00.00xZ",
    "2024-01-01T00:00:00z", "2024-01-01t00:00:00Z", "2024-01-01T00:00+01:00",
    "2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T23:59:60Z",
    "20240101T000000.000Z",
    "+024-01-01T00:00:00Z", "2024-13-01T00:00:00Z",
  ]) func `Other forms of ISO 8601, and other texts, are not parsed`(_ text: String) {
    #expect(milliseconds(iso8601: text) == nil)
  }
}
