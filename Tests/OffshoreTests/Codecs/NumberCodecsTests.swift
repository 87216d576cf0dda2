import TestSupport
import Testing

@testable import Offshore

struct IntegerCodecTests {
  /// Stores the extremes of a type and numbers near them, and loads them again.
  private func roundTripExtremes<Codec: IntegerCodec>(_: Codec.Type) throws {
    let values: [Codec.Value] = [.min, .min + 1, 0, 1, .max / 2, .max - 1, .max]
    let storable = values.filter { Int64(exactly: $0) != nil }
    #expect(try CodecProbe<Codec>().loaded(storable) == storable)
  }

  /// The codec's errors for the integers just outside its type's range.
  private func misfitsOutside<Codec: IntegerCodec>(_: Codec.Type) throws -> [Misfit?] {
    let probe = try CodecProbe<Codec>()
    let below = Int64(Codec.Value.min) - 1
    let above = Int64(Codec.Value.max) + 1
    return [try probe.misfit("\(below)"), try probe.misfit("\(above)")]
  }

  @Test func `Signed integers of every width load as they were stored, extremes included`() throws {
    try roundTripExtremes(Int8Codec.self)
    try roundTripExtremes(Int16Codec.self)
    try roundTripExtremes(Int32Codec.self)
    try roundTripExtremes(Int64Codec.self)
    try roundTripExtremes(IntCodec.self)
  }

  @Test func `Unsigned integers of every width load as they were stored, extremes included`() throws
  {
    try roundTripExtremes(UInt8Codec.self)
    try roundTripExtremes(UInt16Codec.self)
    try roundTripExtremes(UInt32Codec.self)
    try roundTripExtremes(UInt64Codec.self)
    try roundTripExtremes(UIntCodec.self)
  }

  @Test func `An integer is stored as INTEGER`() throws {
    #expect(try CodecProbe<IntCodec>().stored(-7) == "integer -7")
    #expect(try CodecProbe<UInt8Codec>().stored(255) == "integer 255")
  }

  @Test func `A stored integer outside the type's range is an error that names the range`() throws {
    let misfit = Misfit(expected: "an integer from -128 to 127", found: "an integer")
    #expect(try misfitsOutside(Int8Codec.self) == [misfit, misfit])
    #expect(try misfitsOutside(Int16Codec.self).allSatisfy { $0 != nil })
    #expect(try misfitsOutside(Int32Codec.self).allSatisfy { $0 != nil })
    #expect(try misfitsOutside(UInt8Codec.self).allSatisfy { $0 != nil })
    #expect(try misfitsOutside(UInt16Codec.self).allSatisfy { $0 != nil })
    #expect(try misfitsOutside(UInt32Codec.self).allSatisfy { $0 != nil })
  }

  @Test func `A negative integer is an error in an unsigned column`() throws {
    #expect(try CodecProbe<UInt64Codec>().misfit("-1")?.found == "an integer")
    #expect(try CodecProbe<UIntCodec>().misfit("-9223372036854775807")?.found == "an integer")
  }

  @Test(arguments: [
    UInt64(Int64.max) + 1, UInt64.max,
  ]) func `An unsigned integer above the largest signed one is refused, not wrapped`(
    value: UInt64
  ) throws {
    #expect(
      try CodecProbe<UInt64Codec>().refusal(value)
        == "an integer up to 9,223,372,036,854,775,807")
    #expect(try CodecProbe<UIntCodec>().refusal(UInt(value)) != nil)
  }

  @Test func `The largest signed integer fits an unsigned column`() throws {
    #expect(try CodecProbe<UInt64Codec>().refusal(UInt64(Int64.max)) == nil)
  }

  @Test(arguments: [
    ("1.0", "a real number"), ("'1'", "a text of 1 bytes"), ("NULL", "NULL"),
    ("x'31'", "a BLOB of 1 bytes"), ("''", "a text of 0 bytes"), ("9e18", "a real number"),
  ]) func `A value of another type is an error, even if SQL would convert it`(
    expression: String, found: String
  ) throws {
    #expect(try CodecProbe<IntCodec>().misfit(SQL(raw: expression))?.found == found)
  }

  @Test func `The two samples of each width differ`() {
    #expect(IntCodec.samples.0 != IntCodec.samples.1)
    #expect(UInt8Codec.samples.0 != UInt8Codec.samples.1)
  }
}

struct BoolCodecTests {
  @Test(arguments: [
    (false, "integer 0"), (true, "integer 1"),
  ]) func `A Boolean is stored as 0 or 1 and loads again`(value: Bool, stored: String) throws {
    let probe = try CodecProbe<BoolCodec>()
    #expect(try probe.stored(value) == stored)
    #expect(try probe.loaded(value) == value)
  }

  @Test(arguments: [
    ("2", "an integer"), ("-1", "an integer"), ("1.0", "a real number"),
    ("'true'", "a text of 4 bytes"), ("'1'", "a text of 1 bytes"), ("NULL", "NULL"),
    ("x'01'", "a BLOB of 1 bytes"), ("9223372036854775807", "an integer"),
  ]) func `Any other stored value is an error and is not converted to a Boolean`(
    expression: String, found: String
  ) throws {
    #expect(
      try CodecProbe<BoolCodec>().misfit(SQL(raw: expression))
        == Misfit(expected: "0 or 1", found: found))
  }
}

struct RealCodecTests {
  private static let doubles: [Double] = [
    0, 1, -1, 0.1, 1.0 / 3, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNormalMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .ulpOfOne,
    9_007_199_254_740_992, 9_007_199_254_740_994, 9.2233720368547758e18, 1e300,
  ]

  @Test(arguments: doubles) func `A double loads with the bits it was stored with`(value: Double)
    throws
  {
    #expect(try CodecProbe<DoubleCodec>().loaded(value).bitPattern == value.bitPattern)
  }

  @Test(arguments: [Double.infinity, -Double.infinity]) func `Infinities load as they were stored`(
    value: Double
  ) throws {
    #expect(try CodecProbe<DoubleCodec>().loaded(value) == value)
    #expect(try CodecProbe<FloatCodec>().loaded(Float(value)) == Float(value))
  }

  @Test func `Negative zero loads equal to zero`() throws {
    #expect(try CodecProbe<DoubleCodec>().loaded(-0.0) == 0)
  }

  @Test(arguments: [
    Double.nan, -Double.nan, Double.signalingNaN, Double(nan: 42, signaling: false),
  ]) func `NaN of any kind is refused, because SQLite would store NULL`(value: Double) throws {
    let probe = try CodecProbe<DoubleCodec>()
    #expect(probe.refusal(value) == "a number: SQLite stores NaN as NULL")
    #expect(throws: Misfit.self) { try probe.loaded(value) }
  }

  @Test func `NaN is refused for a float like for a double`() throws {
    #expect(try CodecProbe<FloatCodec>().refusal(.nan) != nil)
  }

  @Test func `A number is stored as REAL, also a whole one`() throws {
    #expect(try CodecProbe<DoubleCodec>().stored(2) == "real 2.0")
    #expect(try CodecProbe<FloatCodec>().stored(0.5) == "real 0.5")
  }

  @Test(arguments: [
    Float(0), 0.1, -1.5, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
    16_777_215, .pi,
  ]) func `A float loads as it was stored`(value: Float) throws {
    #expect(try CodecProbe<FloatCodec>().loaded(value).bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    "0.1", "16777217.0", "1e39", "1e-300",
  ]) func `A stored number that a float cannot hold exactly is an error and is not rounded`(
    expression: String
  ) throws {
    #expect(
      try CodecProbe<FloatCodec>().misfit(SQL(raw: expression))
        == Misfit(expected: "a number that Float holds exactly", found: "a real number"))
  }

  @Test func `A stored integer is read if the type holds it exactly`() throws {
    #expect(try CodecProbe<DoubleCodec>().read("9007199254740992") == 9_007_199_254_740_992)
    #expect(try CodecProbe<FloatCodec>().read("16777216") == 16_777_216)
  }

  @Test func `A stored integer that the type would round is an error`() throws {
    #expect(try CodecProbe<DoubleCodec>().misfit("9007199254740993")?.found == "an integer")
    #expect(try CodecProbe<FloatCodec>().misfit("16777217")?.found == "an integer")
    #expect(try CodecProbe<DoubleCodec>().misfit("9223372036854775807")?.found == "an integer")
  }

  @Test(arguments: [
    ("'1.5'", "a text of 3 bytes"), ("NULL", "NULL"), ("x'00'", "a BLOB of 1 bytes"),
  ]) func `A value other than a number is an error`(expression: String, found: String) throws {
    #expect(try CodecProbe<DoubleCodec>().misfit(SQL(raw: expression))?.found == found)
    #expect(try CodecProbe<FloatCodec>().misfit(SQL(raw: expression))?.found == found)
  }

  @Test func `Ten thousand doubles of random bits load with the same bits`() throws {
    var random = SeededRandom(seed: 1)
    let values = (0..<10_000).map { _ in Double(bitPattern: random.next()) }
      .filter { !$0.isNaN && $0 != 0 }
    let loaded = try CodecProbe<DoubleCodec>().loaded(values)
    #expect(loaded.map(\.bitPattern) == values.map(\.bitPattern))
  }
}
