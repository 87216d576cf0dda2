import Foundation
import TestSupport
import Testing

@testable import OffshoreFiles

/// The stable JSON of values: the same bytes for the same value, and the same value from the bytes.
struct JSONCodingTests {
  private let coding = JSONCoding(precision: .full)

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try coding.encode(value).bytes, as: UTF8.self)
  }

  /// Encodes a value, and decodes it.
  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try coding.decode(Value.self, from: coding.encode(value).bytes)
  }

  // MARK: - Bytes

  @Test func `A dictionary has the same bytes in whichever order it was filled`() throws {
    var random = SeededRandom(seed: 3)
    let keys = (0..<40).map { "key \($0)" } + ["", "Ä", "ä", "ключ", "a/b", "\"", "👩‍👧"]
    let expected = try text(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.count) }))
    for _ in 0..<20 {
      var values: [String: Int] = [:]
      for key in keys.shuffled(using: &random) { values[key] = key.count }
      #expect(try text(values) == expected)
    }
    #expect(try again(["b": 1, "a": 2]) == ["a": 2, "b": 1])
  }

  @Test func `An encoded value that was decoded has the same bytes`() throws {
    struct Sample: Codable {
      var zulu = [1.5, -0.25]
      var alfa: [String: [Int]] = ["two": [2], "one": []]
      var date = Date(timeIntervalSinceReferenceDate: 0.1)
      var none: Int?
      var text = "a “b”\n"
    }
    let bytes = try coding.encode(Sample()).bytes
    #expect(try coding.encode(coding.decode(Sample.self, from: bytes)).bytes == bytes)
    let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("  \"") }.compactMap { $0.split(separator: "\"").dropFirst().first }
    #expect(names == ["alfa", "date", "text", "zulu"])
  }

  @Test func `Slashes are plain, and control characters and quotes are escaped`() throws {
    #expect(try text("a/b") == #""a/b""#)
    #expect(try text("“ö” 👩‍👧") == "\"“ö” 👩‍👧\"")
    #expect(try text("a\"b\\c\nd\te") == #""a\"b\\c\nd\te""#)
    #expect(try text("\u{1}") == #""\u0001""#)
    var scalars = (0...0x2FF).compactMap { Unicode.Scalar(UInt32($0)) }
    scalars += ["\u{2028}", "\u{FFFF}", "\u{10FFFF}"]
    for scalar in scalars {
      let value = "x\(scalar)y"
      #expect(try Array(again(value).unicodeScalars) == Array(value.unicodeScalars))
    }
  }

  // MARK: - Numbers

  @Test(
    arguments: [
      0, -0.0, 0.1, -1.5, 1e22, 1e-7, .pi, 123_456_789.123_456_79, .ulpOfOne,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, 9_007_199_254_740_991,
    ] as [Double])
  func `A number is the same after a round trip, bit for bit`(_ number: Double) throws {
    #expect(try again([number])[0].bitPattern == number.bitPattern)
    let single = Float(number)
    if single.isFinite { #expect(try again([single])[0].bitPattern == single.bitPattern) }
  }

  @Test func `Random numbers are the same after a round trip`() throws {
    var random = SeededRandom(seed: 4)
    let numbers = (0..<5_000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    #expect(try again(numbers).map(\.bitPattern) == numbers.map(\.bitPattern))
  }

  @Test func `Integers keep their limits, and are refused beyond them`() throws {
    #expect(try again([Int64.min, -1, 0, Int64.max]) == [Int64.min, -1, 0, Int64.max])
    #expect(try again([UInt64.max]) == [UInt64.max])
    let texts = ["[9223372036854775808]", "[1.5]", "[\"1\"]", "[true]"]
    for text in texts {
      #expect(throws: DecodingError.self, "\(text)") {
        try coding.decode([Int64].self, from: Data(text.utf8))
      }
    }
    #expect(try coding.decode([Int].self, from: Data("[1.0, 2e2]".utf8)) == [1, 200])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `A number that is not finite is refused at any place`(_ number: Double) {
    #expect(throws: EncodingError.self) { try coding.encode(number) }
    #expect(throws: EncodingError.self) { try coding.encode([["a": [1, number]]]) }
  }

  // MARK: - Dates

  @Test func `Random dates are the same after a round trip, and exact`() throws {
    var random = SeededRandom(seed: 5)
    let dates = (0..<2_000).map { _ in
      Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &random))
    }
    let encoded = try coding.encode(dates)
    #expect(encoded.isExact)
    #expect(try coding.decode([Date].self, from: encoded.bytes) == dates)
  }

  @Test func `A value in whole seconds is exact only if none of its dates has a fraction`() throws {
    let seconds = JSONCoding(precision: .seconds)
    let whole = Date(timeIntervalSinceReferenceDate: -5)
    #expect(try seconds.encode([whole, whole]).isExact)
    #expect(try seconds.encode([[whole], []]).isExact)
    #expect(try !seconds.encode([[whole], [whole + 0.001]]).isExact)
    let rounded = try seconds.encode(["a": whole + 0.999]).bytes
    #expect(try seconds.decode([String: Date].self, from: rounded) == ["a": whole])
    // The next value is judged by itself.
    #expect(try seconds.encode(whole).isExact)
  }

  @Test func `A date in another form is refused with its place`() throws {
    struct Event: Codable { var start: Date }
    let texts = ["7", "\"2026-05-01\"", "\"\"", "null", "\"2026-05-01T12:00:00\""]
    for text in texts {
      let error = #expect(throws: DecodingError.self, "\(text)") {
        try coding.decode([Event].self, from: Data("[{\"start\": \(text)}]".utf8))
      }
      #expect(error.map { "\($0)".contains("start") } == true, "\(text)")
    }
    let valid = Data(#"[{"start": "2026-05-01T14:00:00.5+02:00"}]"#.utf8)
    let date = try coding.decode([Event].self, from: valid)[0].start
    #expect(try text(date) == #""2026-05-01T12:00:00.5Z""#)
  }

  @Test func `A date that has no text is refused with its place`() {
    let far = Date(timeIntervalSinceReferenceDate: 1e12)
    let error = #expect(throws: EncodingError.self) { try coding.encode(["end": far]) }
    if case .invalidValue(let value, let context) = error {
      #expect(value as? Date == far)
      #expect(context.codingPath.map(\.stringValue) == ["end"])
    } else {
      Issue.record("\(String(describing: error))")
    }
  }
}
