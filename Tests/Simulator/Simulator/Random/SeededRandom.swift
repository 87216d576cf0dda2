/// Numbers that look random, and are the same in each run of a seed.
///
/// SplitMix64, see <https://prng.di.unimi.it/splitmix64.c>.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins with a seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number that two courses of events have in common that are alike so far.
  var fingerprint: UInt64 { state }

  /// A number from 0 to one below a bound, which is 1 at the least.
  mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number of a range.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.upperBound - range.lowerBound + 1)
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  /// An element of a list that has any.
  mutating func pick<Element>(_ list: [Element]) -> Element { list[number(below: list.count)] }

  /// An element, by the weights of all; `nil` where there is none of any weight.
  mutating func pick<Element>(_ list: [(element: Element, weight: Int)]) -> Element? {
    let sum = list.reduce(0) { $0 + $1.weight }
    guard sum > 0 else { return nil }
    var rest = number(below: sum)
    for (element, weight) in list {
      if rest < weight { return element }
      rest -= weight
    }
    return nil
  }

  /// A list in another order.
  mutating func shuffled<Element>(_ list: [Element]) -> [Element] {
    var list = list
    for place in stride(from: list.count - 1, to: 0, by: -1) {
      list.swapAt(place, number(below: place + 1))
    }
    return list
  }
}
