import Foundation
import TestSupport
import Testing

@testable import OffshoreFiles

/// The texts of dates, which keep each bit.
struct DateDigitsTests {
  private func text(_ seconds: Double, _ precision: JSONConfiguration.DatePrecision = .full)
    -> String?
  {
    DateDigits.text(of: Date(timeIntervalSinceReferenceDate: seconds), precision)
  }

  private func seconds(_ text: String) -> Double? {
    DateDigits.date(text)?.timeIntervalSinceReferenceDate
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
      (799_934_400.125, "2026-05-08T12:00:00.125Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
      (-1, "2000-12-31T23:59:59Z"), (-86_400.01, "2000-12-30T23:59:59.99Z"),
      (0.000_015, "2001-01-01T00:00:00.000015Z"), (1e-7, "2001-01-01T00:00:00.0000001Z"),
      (-978_307_200.5, "1969-12-31T23:59:59.5Z"), (-63_145_526_400, "0000-01-01T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"),
    ] as [(Double, String)])
  func `A date has the shortest text that leads to it`(_ number: Double, _ expected: String) {
    #expect(text(number) == expected)
    #expect(seconds(expected) == number)
  }

  @Test func `Any date is the same after a round trip, bit for bit`() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20_000 {
      let range = random.pick([1.0, 1e3, 1e6, 1e9, 1e10])
      let number = Double.random(in: -range...range, using: &random)
      let written = try #require(text(number))
      #expect(seconds(written) == number, "\(written)")
    }
    let tiny = [Double.leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1.0.ulp, -(1.0.ulp)]
    for number in tiny { #expect(text(number).flatMap(seconds) == number) }
    #expect(text(-0.0) == "2001-01-01T00:00:00Z")
  }

  @Test func `Whole seconds are rounded down`() {
    #expect(text(1.99, .seconds) == "2001-01-01T00:00:01Z")
    #expect(text(-0.01, .seconds) == "2000-12-31T23:59:59Z")
    #expect(text(7, .seconds) == "2001-01-01T00:00:07Z")
  }

  @Test func `A date outside years 0 to 9999 has no text`() {
    #expect(
      [-63_145_526_401, 252_423_993_600, 1e300, .infinity, .nan].allSatisfy { text($0) == nil })
  }

  @Test func `Dates with an offset or many digits are parsed`() {
    #expect(seconds("2001-01-01T02:00:00+02:00") == 0)
    #expect(seconds("2000-12-31T23:30:00.25-00:30") == 0.25)
    #expect(seconds("2001-01-01T00:00:00.50000000000000000000000Z") == 0.5)
    #expect(seconds("2001-01-01T00:00:00.000Z") == 0)
    #expect(seconds("2000-12-31T23:59:59.000Z") == -1)
  }

  @Test(arguments: [
    "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01 00:00:00Z", "2001-13-01T00:00:00Z",
    "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:00.Z",
    "2001-01-01T00:00:00.1", "2001-01-01T00:00:00ZZ", "2001-01-01T00:00:00+0200",
    "2001-01-01T00:00:00+02:60", "2001-01-01T00:00:00*02:00", "2001-01-01T00:00:00+02:0",
    "2001-01-01T00:00:00.1e5Z", "२००१-01-01T00:00:00Z", "2001-01-01T00:00:00+2:000",
  ])
  func `Another text is not a date`(_ text: String) { #expect(DateDigits.date(text) == nil) }
}
