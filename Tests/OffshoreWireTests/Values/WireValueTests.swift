import TestSupport
import Testing

@testable import OffshoreWire

struct WireValueTests {
  @Test func `Reals are equal if their bits are`() {
    #expect(WireValue.real(0.0) != .real(-0.0))
    #expect(WireValue.real(.nan) == .real(.nan))
    #expect(WireValue.real(Double(nan: 1, signaling: false)) != .real(.nan))
    #expect(WireValue.real(1) != .integer(1))
  }

  @Test func `A set distinguishes values as equality does`() {
    let values: Set<WireValue> = [
      .real(0.0), .real(-0.0), .real(.nan), .real(.nan), .integer(0), .null, "a", .blob([0x61]),
    ]
    #expect(values.count == 7)
  }

  @Test func `Literals are texts, integers and reals`() {
    #expect("Öl" as WireValue == .text([0xC3, 0x96, 0x6C]))
    #expect(7 as WireValue == .integer(7))
    #expect(0.5 as WireValue == .real(0.5))
  }

  @Test func `The increment between two values of a counter counts NULL as 0`() {
    let cases: [(old: WireValue, new: WireValue, increment: WireValue?)] = [
      (3, 5, 2), (5, 3, -2), (.null, 4, 4), (4, .null, -4), (.integer(.min), .integer(.max), -1),
      (.null, .null, nil), (1, 2.0, nil), ("1", 2, nil), (2, .blob([1]), nil),
    ]
    for (old, new, increment) in cases { #expect(new.increment(from: old) == increment) }
  }

  @Test func `A text that is not UTF-8 has no string`() {
    #expect(WireValue.text([0xFF]).string == nil)
    #expect(WireValue("Öl").string == "Öl")
    #expect(WireValue.blob([0x61]).string == nil)
  }

  @Test func `The description has the kind and the size only`() {
    let values: [WireValue] = [.null, 12, 0.5, "secret", .blob([1, 2])]
    #expect(
      values.map(\.description) == [
        "NULL", "an integer", "a real", "a text of 6 bytes", "a BLOB of 2 bytes",
      ])
  }

  @Test func `The size is that of the content`() {
    #expect(
      ([.null, 12, 0.5, "Öl", .blob([1])] as [WireValue]).map(\.byteCount) == [0, 8, 8, 3, 1])
    #expect(WireValue.null.isNull && !WireValue.integer(0).isNull)
  }

  /// Different values in their order.
  private static let ordered: [WireValue] = [
    .null,
    .real(Double(bitPattern: 0x7FF8_0000_0000_0000)),
    .real(Double(bitPattern: 0xFFF8_0000_0000_0000)),
    .real(-.infinity), .integer(.min), .real(-0x1p63), .integer(.min + 1), .real(-1.5),
    .integer(-1),
    .real(-1), .real(-0.5), .integer(0), .real(-0.0), .real(0.0), .real(.leastNonzeroMagnitude),
    .integer(1), .real(1),
    .real(1.5), .integer(1 << 53), .real(0x1p53), .integer((1 << 53) + 1), .integer(.max),
    .real(0x1p63), .real(.infinity), .text([]), "a", "a\u{0}", "b", .text([0xFF]), .blob([]),
    .blob([0]), .blob([1]),
  ]

  @Test func `The order is total, and exact for integers and reals`() {
    for (left, first) in Self.ordered.enumerated() {
      for (right, second) in Self.ordered.enumerated() {
        // The integer 0 is ordered before the reals of the same value.
        #expect(first.isOrdered(before: second) == (left < right), "\(left) and \(right)")
      }
    }
  }
}

struct WireValueOrderTests {
  @Test func `Of two different values exactly one is ordered before the other`() {
    var random = SeededRandom(seed: 53)
    for _ in 0..<5_000 {
      let (left, right) = (random.value(), random.value())
      let before = left.isOrdered(before: right)
      let after = right.isOrdered(before: left)
      #expect(left == right ? !before && !after : before != after)
    }
  }

  @Test func `The order is transitive`() {
    var random = SeededRandom(seed: 54)
    for _ in 0..<5_000 {
      let values = [random.value(), random.value(), random.value()]
      if values[0].isOrdered(before: values[1]), values[1].isOrdered(before: values[2]) {
        #expect(values[0].isOrdered(before: values[2]))
      }
    }
  }

  @Test func `Integers and reals are compared exactly, even if a conversion would round`() {
    var random = SeededRandom(seed: 55)
    for _ in 0..<5_000 {
      let integer = Int64(bitPattern: random.next() >> UInt64(random.number(below: 12)))
      // The nearest real, which may be above or below.
      let real = Double(integer)
      guard let whole = Int64(exactly: real) else { continue }
      let isBefore = WireValue.integer(integer).isOrdered(before: .real(real))
      #expect(isBefore == (integer <= whole))
      #expect(WireValue.real(real).isOrdered(before: .integer(integer)) == (whole < integer))
    }
  }

  @Test func `Sorting gives the same order for any initial order`() {
    var random = SeededRandom(seed: 56)
    let values = (0..<200).map { _ in random.value() }
    let sorted = values.sorted { $0.isOrdered(before: $1) }
    let again = values.shuffled(using: &random).sorted { $0.isOrdered(before: $1) }
    #expect(sorted == again)
  }
}
