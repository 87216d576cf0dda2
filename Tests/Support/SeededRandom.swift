/// Numbers that look random, and are the same in each run of a seed.
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

  /// The number that comes next, without taking it: what two courses of events have in common that are
  /// alike so far.
  package func peek() -> UInt64 {
    var copy = self
    return copy.next()
  }

  /// A number from 0 to one below a bound, which is 1 at the least.
  package mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// An element of a list that has any.
  package mutating func pick<Element>(_ list: [Element]) -> Element {
    list[number(below: list.count)]
  }
}
