package import Foundation
package import Offshore
package import OffshoreWire
import Synchronization

/// The id under which this device makes edits, read once and cached.
///
/// NB: The id is stored in a row that every change updates. An observation that read it each time
/// would be notified of every change.
package final class DeviceIDCache: Sendable {
  private let known = Mutex<DeviceID?>(nil)

  package init() {}

  package func device(_ replica: Replica, _ reader: Reader) throws -> DeviceID {
    if let device = known.withLock(\.self) { return device }
    let device = try replica.device(reader)
    known.withLock { $0 = device }
    return device
  }
}

extension Date {
  /// Creates a date from the protocol's milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The milliseconds since 1970, as the protocol has them.
  package var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }
}
