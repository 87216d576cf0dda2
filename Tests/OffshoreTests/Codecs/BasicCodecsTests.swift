import Foundation
import TestSupport
import Testing

@testable import Offshore

struct StringCodecTests {
  private static let texts = [
    "", "a", "Alma", "fifteen bytes ok", "a\u{0}b", "\u{0}", "\u{0}\u{0}\u{0}", "👩‍👩‍👧‍👦🏴‍☠️🇭🇷",
    "e\u{301}", "\u{e9}", "’; DROP TABLE cells; --", "'\"`[]?1:a@b$c", "line\r\nbreak\ttab",
    "\u{FEFF}mark", "\u{FFFD}", "\u{10FFFF}", "日本語", "שלום", String(repeating: "é", count: 5000),
  ]

  @Test(arguments: texts) func `A string loads with the bytes it was stored with`(value: String)
    throws
  {
    #expect(try Array(CodecProbe<StringCodec>().loaded(value).utf8) == Array(value.utf8))
  }

  @Test func `A string of a megabyte loads as it was stored`() throws {
    let value = String(repeating: "Biograd na Moru 🌊 ", count: 50_000)
    #expect(value.utf8.count > 1_000_000)
    #expect(try CodecProbe<StringCodec>().loaded(value) == value)
  }

  @Test func `A text of 100 MB is stored and read in seconds`() throws {
    let value = String(repeating: "a", count: 100_000_000)
    let start = ContinuousClock.now
    #expect(try CodecProbe<StringCodec>().loaded(value) == value)
    // A loop over its bytes takes half a minute in a debug build.
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test func `Equal strings of different code points stay different`() throws {
    let probe = try CodecProbe<StringCodec>()
    #expect(try probe.loaded("e\u{301}").unicodeScalars.count == 2)
    #expect(try probe.loaded("\u{e9}").unicodeScalars.count == 1)
  }

  @Test func `The empty string is a text, not NULL`() throws {
    #expect(try CodecProbe<StringCodec>().stored("") == "text ''")
  }

  @Test func `A string that Foundation made from other encodings loads as it was stored`() throws {
    let value = try #require(
      String(data: Data([0xC5, 0x0D, 0x01]) + Data([0]), encoding: .utf16BigEndian))
    #expect(try CodecProbe<StringCodec>().loaded(value) == value)
  }

  @Test(arguments: [
    "ff", "c0af", "eda080", "f4908080", "e28221", "80", "416cff6d61", "c3",
  ]) func `Bytes that are not UTF-8 are an error and are not replaced`(hex: String) throws {
    #expect(
      try CodecProbe<StringCodec>().misfit("CAST(\(SQL(raw: "x'\(hex)'")) AS TEXT)")
        == Misfit(expected: "a text in UTF-8", found: "a text of \(hex.count / 2) bytes"))
  }

  @Test(arguments: [
    ("1", "an integer"), ("1.5", "a real number"), ("NULL", "NULL"),
    ("x'61'", "a BLOB of 1 bytes"),
  ]) func `A value other than a text is an error`(expression: String, found: String) throws {
    #expect(try CodecProbe<StringCodec>().misfit(SQL(raw: expression))?.found == found)
  }

  @Test(arguments: ["Alma", "日本語", "👩‍👩‍👧‍👦", ""]) func `Text of a UTF-16 database is read as UTF-8`(
    value: String
  ) throws {
    let folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA encoding = 'UTF-16'") }
    let connection = try Connection(folder.file("utf16.sqlite"), configuration: configuration)
    try connection.execute("CREATE TABLE cells (value TEXT)")
    try connection.write { _ = try $0.run("INSERT INTO cells VALUES (\(value))") }
    try #require(try connection.texts("PRAGMA encoding") == ["UTF-16le"])
    #expect(try connection.texts("SELECT value FROM cells") == [value])
  }
}

struct DataCodecTests {
  @Test(arguments: [
    Data(), Data([0]), Data([0, 0, 0]), Data([0xFF, 0, 0x80]),
    Data(repeating: 7, count: 1_000_000),
    Data(0...255),
  ]) func `Bytes load as they were stored`(value: Data) throws {
    #expect(try CodecProbe<DataCodec>().loaded(value) == value)
  }

  @Test func `No bytes are an empty BLOB, not NULL`() throws {
    #expect(try CodecProbe<DataCodec>().stored(Data()) == "blob X''")
  }

  @Test func `A slice stores only its own bytes`() throws {
    let whole = Data([1, 2, 3, 4])
    #expect(try CodecProbe<DataCodec>().loaded(whole[1...2]) == Data([2, 3]))
  }

  @Test(arguments: [
    ("'ab'", "a text of 2 bytes"), ("1", "an integer"), ("0.5", "a real number"),
    ("NULL", "NULL"),
  ]) func `A value other than a BLOB is an error`(expression: String, found: String) throws {
    #expect(
      try CodecProbe<DataCodec>().misfit(SQL(raw: expression))
        == Misfit(expected: "a BLOB", found: found))
  }
}

struct URLCodecTests {
  private static let texts = [
    "https://example.com", "https://example.com/a%20b?q=1&r=%C3%A9#top", "file:///tmp/a.sqlite",
    "mailto:alma@example.com", "http://[::1]:8080/", "a/relative/path", "offshore://charter/7",
    "https://user:word@example.com:8443/x;y=z", "urn:isbn:0451450523",
  ]

  @Test(arguments: texts) func `A URL loads as it was stored`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try CodecProbe<URLCodec>().loaded(url) == url)
    #expect(try CodecProbe<URLCodec>().stored(url) == "text '\(text)'")
  }

  @Test func `A relative URL is stored as an absolute one`() throws {
    let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://example.com/a/")))
    #expect(
      try CodecProbe<URLCodec>().loaded(url).absoluteString == "https://example.com/a/b?c")
  }

  @Test(arguments: [
    "", "a b", "https://exa mple.com", "http://[", "https://example.com/é", "<a>", "%zz",
  ]) func `A text that is not a URL is an error and is not repaired`(text: String) throws {
    #expect(
      try CodecProbe<URLCodec>().misfit("\(text)")
        == Misfit(expected: "a URL as text", found: "a text of \(text.utf8.count) bytes"))
  }

  @Test func `Bytes that are not UTF-8 are an error`() throws {
    #expect(try CodecProbe<URLCodec>().misfit("CAST(x'68ff' AS TEXT)") != nil)
  }

  @Test(arguments: ["1", "0.5", "NULL", "x'61'"]) func `A value other than a text is an error`(
    expression: String
  ) throws {
    #expect(try CodecProbe<URLCodec>().misfit(SQL(raw: expression)) != nil)
  }
}

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
