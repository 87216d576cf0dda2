import Foundation
import Testing

@testable import Offshore

struct DecimalCodecTests {
  private func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
  }

  @Test(
    "A decimal loads exactly as it was stored",
    arguments: [
      "0", "1", "-1", "19.9", "0.1", "-0.000001", "12345678901234567890123456789012345678",
      "0.00000000000000000000000000000000000001", "99999999999999999999999999999999999999",
      "1234567890.123456789", "1e20", "1e-20", "1e127", "1e-128",
    ])
  func roundTrip(text: String) throws {
    let value = try decimal(text)
    #expect(try CodecProbe<DecimalText>().loaded(value) == value)
  }

  @Test(
    "A decimal is stored as its shortest text",
    arguments: [
      ("19.90", "19.9"), ("-0.50", "-0.5"), ("1000", "1000"), ("0", "0"), ("007", "7"),
    ])
  func stored(text: String, stored: String) throws {
    #expect(try CodecProbe<DecimalText>().stored(decimal(text)) == "text '\(stored)'")
  }

  @Test("Sums that binary numbers get wrong stay exact")
  func exact() throws {
    let sum = try decimal("0.1") + decimal("0.2")
    #expect(try CodecProbe<DecimalText>().stored(sum) == "text '0.3'")
  }

  @Test("The largest and the smallest decimal load as they were stored")
  func extremes() throws {
    let probe = try CodecProbe<DecimalText>()
    for value in [
      Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ] {
      #expect(try probe.loaded(value) == value)
    }
  }

  @Test("What is no number is refused")
  func nan() throws {
    #expect(try CodecProbe<DecimalText>().refusal(.nan) == "a number")
  }

  @Test(
    "A text that is no decimal number is an error, never its beginning",
    arguments: [
      "", " ", "abc", "1,5", "1.", ".5", "+1", "1.5x", " 1", "1 ", "--1", "1.2.3", "NaN", "1e",
      "0x10", "１", "١", "1_000", "12 EUR",
    ])
  func malformed(text: String) throws {
    #expect(
      try CodecProbe<DecimalText>().misfit("\(text)")
        == Misfit(
          expected: "a decimal number as text", found: "a text of \(text.utf8.count) bytes"))
  }

  @Test(
    "A text of more digits than a decimal holds is an error, never rounded",
    arguments: [
      "1234567890123456789012345678901234567891", "0.1234567890123456789012345678901234567891",
      String(repeating: "9", count: 200), "1" + String(repeating: "0", count: 5000),
      "0." + String(repeating: "0", count: 500) + "1",
    ])
  func tooPrecise(text: String) throws {
    #expect(try CodecProbe<DecimalText>().misfit("\(text)") != nil)
  }

  @Test(
    "Zeros that mean nothing are read", arguments: [("19.90", "19.9"), ("007.0", "7"), ("-0", "0")])
  func zeros(text: String, value: String) throws {
    #expect(try CodecProbe<DecimalText>().read("\(text)") == decimal(value))
  }

  @Test("A number is an error: it was rounded when it was stored", arguments: ["1.5", "1", "NULL"])
  func otherClasses(expression: String) throws {
    #expect(try CodecProbe<DecimalText>().misfit(SQL(raw: expression)) != nil)
  }
}
