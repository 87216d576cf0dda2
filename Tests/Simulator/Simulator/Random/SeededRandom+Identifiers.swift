import Foundation
import OffshoreWire
import TestSupport

extension SeededRandom {
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
