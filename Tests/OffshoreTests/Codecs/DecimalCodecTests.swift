import Foundation
import Testing

@testable import Offshore

struct DecimalCodecTests {
  private func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
  }

  @Test(arguments: [
    "0", "1", "-1", "19.9", "0.1", "-0.000001", "12345678901234567890123456789012345678",
    "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999",
    "1234567890.123456789", "1e20", "1e-20", "1e127", "1e-128",
  ]) func `A decimal loads exactly as it was stored`(text: String) throws {
    let value = try decimal(text)
    #expect(try CodecProbe<DecimalText>().loaded(value) == value)
  }

  @Test(arguments: [
    ("19.90", "19.9"), ("-0.50", "-0.5"), ("1000", "1000"), ("0", "0"), ("007", "7"),
  ]) func `A decimal is stored as its shortest text`(text: String, stored: String) throws {
    #expect(try CodecProbe<DecimalText>().stored(decimal(text)) == "text '\(stored)'")
  }

  @Test func `Sums that are inexact in binary floating point stay exact`() throws {
    let sum = try decimal("0.1") + decimal("0.2")
    #expect(try CodecProbe<DecimalText>().stored(sum) == "text '0.3'")
  }

  @Test func `The largest and the smallest decimal load as they were stored`() throws {
    let probe = try CodecProbe<DecimalText>()
    for value in [
      Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ] {
      #expect(try probe.loaded(value) == value)
    }
  }

  @Test func `NaN is refused`() throws {
    #expect(try CodecProbe<DecimalText>().refusal(.nan) == "a number")
  }

  @Test(arguments: [
    "", " ", "abc", "1,5", "1.", ".5", "+1", "1.5x", " 1", "1 ", "--1", "1.2.3", "NaN", "1e",
    "0x10", "１", "١", "1_000", "12 EUR",
  ]) func `A text that is not entirely a decimal number is an error`(text: String) throws {
    #expect(
      try CodecProbe<DecimalText>().misfit("\(text)")
        == Misfit(
          expected: "a decimal number as text", found: "a text of \(text.utf8.count) bytes"))
  }

  @Test(arguments: [
    "1234567890123456789012345678901234567891", "0.1234567890123456789012345678901234567891",
    String(repeating: "9", count: 200), "1" + String(repeating: "0", count: 5000),
    "0." + String(repeating: "0", count: 500) + "1",
  ]) func `A text of more digits than a decimal holds is an error and is not rounded`(text: String)
    throws
  {
    #expect(try CodecProbe<DecimalText>().misfit("\(text)") != nil)
  }

  @Test(arguments: [("19.90", "19.9"), ("007.0", "7"), ("-0", "0")])
  func `Redundant zeros are accepted`(text: String, value: String) throws {
    #expect(try CodecProbe<DecimalText>().read("\(text)") == decimal(value))
  }

  @Test(arguments: ["1.5", "1", "NULL"])
  func `A stored number is an error, because SQLite rounded it`(expression: String) throws {
    #expect(try CodecProbe<DecimalText>().misfit(SQL(raw: expression)) != nil)
  }
}
