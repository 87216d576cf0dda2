public import Foundation
import Synchronization

extension UUID {
  /// Creates the id with a number as its last digits, such as
  /// `00000000-0000-0000-0000-00000000000A` for 10.
  public init(number: Int) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
        bytes[6], bytes[7]
      ))
  }

  /// Returns a function for the dependency `uuid`, which returns the ids with the numbers 1, 2, 3
  /// and so on.
  public static func numbered() -> @Sendable () -> UUID {
    let counter = Counter()
    return { UUID(number: counter.next()) }
  }
}

private final class Counter: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}
