import TestSupport

/// Draws of what a schedule decides.
extension SeededRandom {
  /// A number of a range.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.upperBound - range.lowerBound + 1)
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

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
