import Foundation
import Synchronization

/// Ids that are the same in each run: consecutive numbers.
final class FixedIDs: Sendable {
  private let number: Mutex<UInt64>

  init(from first: UInt64 = 1) { number = Mutex(first) }

  func next() -> UUID {
    let number = number.withLock { number in
      defer { number += 1 }
      return number
    }
    let digits = String(number, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    return UUID(uuidString: "00000000-0000-4000-8000-\(padded)") ?? UUID()
  }
}
