import Foundation
import OffshoreWire
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

  // MARK: - Identifiers

  /// Draws an id of 16 bytes.
  mutating func uuid() -> UUID {
    var bytes: [UInt8] = []
    for _ in 0..<2 {
      let word = next()
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
    }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  /// Draws the id of a device.
  mutating func deviceID() -> DeviceID { DeviceID(uuid()) }

  /// Draws an epoch of a server's data; never 0.
  mutating func epoch() -> UInt64 { next() | 1 }
}
