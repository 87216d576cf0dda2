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
