import TestSupport
import Testing

@testable import Offshore

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
