import TestSupport

/// Draws for the decisions of a schedule.
extension SeededRandom {
  /// Draws a number in a range.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.upperBound - range.lowerBound + 1)
  }

  /// Draws true with a probability in percent.
  mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  /// Draws an element by weight; `nil` if the sum of all weights is 0.
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

  /// Returns a list in random order.
  mutating func shuffled<Element>(_ list: [Element]) -> [Element] {
    var list = list
    for place in stride(from: list.count - 1, to: 0, by: -1) {
      list.swapAt(place, number(below: place + 1))
    }
    return list
  }
}
