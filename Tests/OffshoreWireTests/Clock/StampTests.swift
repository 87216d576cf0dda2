import TestSupport
import Testing

@testable import OffshoreWire

struct StampTests {
  @Test func `Stamps are compared by milliseconds, then counter, then device`() {
    let stamps = [
      Stamp.at(1, 0, by: 1), .at(1, 0, by: 2), .at(1, 1, by: 1), .at(1, 0xFFFF, by: 1),
      .at(2, 0, by: 1),
    ]
    #expect(stamps.reversed().sorted() == stamps)
  }

  @Test func `A stamp is encoded in 24 bytes with the order of the stamps`() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<500 {
      let (left, right) = (random.stamp(), random.stamp())
      #expect(left.encoded().count == 24)
      #expect(left.encoded().lexicographicallyPrecedes(right.encoded()) == (left < right))
    }
  }

  @Test func `Milliseconds out of range become the nearest valid ones`() {
    #expect(Stamp.at(-1).milliseconds == 0)
    #expect(Stamp.at(.min, 3) == .at(0, 3))
    #expect(Stamp.at(.max).milliseconds == (1 << 48) - 1)
  }

  @Test func `A stamp beyond the limit is clamped to it, any other stays`() {
    #expect(Stamp.at(100, 5).clamped(to: 100) == .at(100, 5))
    #expect(Stamp.at(101, 5).clamped(to: 100) == .at(100, 0xFFFF))
    #expect(Stamp.at(99, 5).clamped(to: 100) == .at(99, 5))
    #expect(Stamp.at(.max, 0xFFFF).clamped(to: -5) == .at(0, 0xFFFF))
  }

  @Test func `The next stamp comes after the previous one, except at the largest time`() {
    #expect(Stamp.at(1, 2, by: 9).next(by: .sample(1)) == .at(1, 3))
    #expect(Stamp.at(1, 0xFFFF, by: 9).next(by: .sample(1)) == .at(2, 0))
    #expect(Stamp.at(.max, 0xFFFF).next(by: .sample(1)) == .at(.max, 0xFFFF))
  }

  @Test func `The description has time, counter and device`() {
    #expect(
      "\(Stamp.at(5, 6, by: 0xAB))" == "5.6@00000000-0000-0000-0000-0000000000AB")
  }
}
