import TestSupport
import Testing

@testable import OffshoreWire

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
