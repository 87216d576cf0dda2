/// A generator of pseudorandom numbers, which are the same in each run with the same seed.
///
/// SplitMix64, see <https://prng.di.unimi.it/splitmix64.c>.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins with a seed.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns the next number without consuming it. Two generators with the same history have the
  /// same next number.
  package func peek() -> UInt64 {
    var copy = self
    return copy.next()
  }

  /// Returns a number from 0 to one below a bound, which is 1 at the least.
  package mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Returns an element of a list that is not empty.
  package mutating func pick<Element>(_ list: [Element]) -> Element {
    list[number(below: list.count)]
  }
}
